/*
 * The build: compiles src/ to dist/, which is the library, and bundles the program out of it into
 * dist/program/. The bundle holds our own code only and starts in half the time: some 90 files less to
 * find and to link. Dependencies stay where npm has put them.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = `${root}dist/program`;

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
  entryPoints: ['dist/cli/main.js', 'dist/verify/file-worker.js'],
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

// Pieces of earlier builds have other names and would stay for ever.
const made = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const name of readdirSync(program)) if (!made.has(name)) rmSync(`${program}/${name}`);
