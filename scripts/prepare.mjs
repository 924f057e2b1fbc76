/*
 * npm runs this after `npm ci` in a checkout and before it packs: there is always something to run then. Where
 * the tools of the build are left out (`npm ci --omit=dev`) and what is built is not of this commit, the build
 * is made in a copy that has the tools, and only its product is kept.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What the build says of itself, in dist/. */
const RECORD = 'build.json';

/** What a build is made of. Nothing else is copied: a seed may lie beside it. */
const SOURCES = [
  ...['src', 'schemas', 'scripts', 'bin', '.npmrc'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
];

if (existsSync(join(root, 'node_modules/typescript'))) await import('./build.mjs');
else if (!(await isBuilt())) await buildInCopy();

/** Whether what lies in dist/ was made of what lies in src/, as far as can be told. */
async function isBuilt() {
  if (!existsSync(join(root, 'dist', RECORD))) return false;
  // In an image or an unpacked package there is nothing that it could be older than.
  if (!existsSync(join(root, 'scripts/git.mjs'))) return true;
  const { checkedOut } = await import('./git.mjs');
  const now = checkedOut();
  if (now === undefined) return true;
  const record = JSON.parse(readFileSync(join(root, 'dist', RECORD), 'utf8'));
  return record.clean && now.isClean && record.commit === now.commit;
}

async function buildInCopy() {
  const { checkedOut } = await import('./git.mjs');
  const copy = mkdtempSync(join(tmpdir(), 'gen-block-build-'));
  // What is running ends by the signal, too, and this goes on to clear up.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  try {
    for (const path of SOURCES.filter((name) => existsSync(join(root, name)))) {
      cpSync(join(root, path), join(copy, path), { recursive: true });
    }
    // What this npm was told (to leave out the tools, to do nothing really) is not for that one; and it runs
    // no script, so that this file cannot come round again.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)),
    );
    const run = (file, ...args) => execFileSync(file, args, { cwd: copy, env, stdio: 'inherit' });
    run('npm', 'ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund');
    run(process.execPath, 'scripts/build.mjs');
    const made = join(copy, 'dist');
    const { commit = null, isClean = false } = checkedOut() ?? {};
    const record = JSON.parse(readFileSync(join(made, RECORD), 'utf8'));
    writeFileSync(join(made, RECORD), `${JSON.stringify({ ...record, commit, clean: isClean })}\n`);
    rmSync(join(root, 'dist'), { recursive: true, force: true });
    cpSync(made, join(root, 'dist'), { recursive: true });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
