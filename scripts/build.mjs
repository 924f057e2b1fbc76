/*
 * The build: compiles src/ to dist/, which is the library, and bundles the program out of it into
 * dist/program/. The bundle holds our own code only and starts in half the time: some 90 files less to
 * find and to link. Dependencies stay where npm has put them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}dist`;

execFileSync(
  process.execPath,
  [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json'],
  {
    cwd: root,
    stdio: 'inherit',
  },
);

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['dist/cli/main.js', 'dist/verify/file-worker.js', 'dist/batch/block-worker.js'],
  outdir: 'dist/program',
  // Flat: paths out of a bundled file lead to the same places as out of dist/<layer>/.
  entryNames: '[name]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  metafile: true,
  logLevel: 'warning',
});

// What a report's page is made with, as text that it takes in.
const { metafile: pageMetafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/view/report/page/player.ts', 'src/view/report/page/report.css'],
  outdir: 'dist/report',
  entryNames: '[name]',
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  metafile: true,
  logLevel: 'warning',
});

// What earlier builds made of files that are gone, or of pieces with other names, would stay for ever.
const made = new Set(
  [metafile, pageMetafile]
    .flatMap(({ outputs }) => Object.keys(outputs))
    .map((path) => relative('dist', path)),
);
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = relative(dist, join(entry.parentPath ?? entry.path, entry.name));
  const source = path.replace(/(?:\.d\.ts|\.js)(?:\.map)?$/, '.ts');
  if (!made.has(path) && !existsSync(join(root, 'src', source))) rmSync(join(dist, path));
}
