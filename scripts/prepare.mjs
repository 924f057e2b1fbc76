/*
 * npm runs this after `npm ci` in a checkout and before it packs: there is always something to run then. Where
 * the tools of the build are left out (`npm ci --omit=dev`) and what is built is not of this commit, the build
 * is made in a copy that has the tools, and only its product is kept.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

if (existsSync(join(root, 'node_modules/typescript'))) await import('./build.mjs');
else if (!isBuilt()) buildInCopy();

/** Whether what lies in dist/ was made of what lies in src/, as far as can be told. */
function isBuilt() {
  if (!existsSync(join(root, 'dist/build.json'))) return false;
  // In an image or an unpacked package there is nothing that it could be older than.
  if (!existsSync(join(root, '.git'))) return true;
  const { commit, clean } = JSON.parse(readFileSync(join(root, 'dist/build.json'), 'utf8'));
  return clean && commit === git('rev-parse', 'HEAD').trim() && git('status', '--porcelain') === '';
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' });
}

function buildInCopy() {
  const copy = mkdtempSync(join(tmpdir(), 'gen-block-build-'));
  const left = new Set(['dist', 'output', 'coverage'].map((name) => join(root, name)));
  try {
    cpSync(root, copy, {
      recursive: true,
      filter: (path) => !left.has(path) && basename(path) !== 'node_modules',
    });
    const npm = (...args) => execFileSync('npm', args, { cwd: copy, stdio: 'inherit' });
    // It runs this file there, with the tools.
    npm('ci', '--include=dev', '--include=optional', '--no-audit');
    rmSync(join(root, 'dist'), { recursive: true, force: true });
    cpSync(join(copy, 'dist'), join(root, 'dist'), { recursive: true });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
