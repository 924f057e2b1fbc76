/*
 * The build: compiles src/ to dist/, and bundles the command line, the library and the threads out of it into
 * dist/program/, which is what a package ships, with the declarations of types. The bundle holds our own
 * code only and starts in half the time: some 90 files less to find and to link. Dependencies stay where
 * npm has put them. The schemas of what is read become functions in dist/validators/, so that no run has to
 * load the compiler of schemas. WebAssembly is compiled out of its text. The command line's own commands become
 * what shells complete it with, in dist/completions/.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL, URL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import ts from 'typescript';
import initWabt from 'wabt';
import { checkedOut } from './git.mjs';

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
  entryPoints: [
    'dist/cli/main.js',
    'dist/index.js',
    'dist/verify/file-worker.js',
    'dist/batch/block-worker.js',
  ],
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

/** What holds values against a schema; its errors carry the value and the schema that it does not fit. */
function compileSchema(name) {
  const schema = JSON.parse(readFileSync(`${root}schemas/${name}.schema.json`, 'utf8'));
  const options = { allErrors: true, verbose: true, allowUnionTypes: true, code: { source: true } };
  // A test holds the schema itself against its own standard.
  const ajv = new Ajv2020({ ...options, validateSchema: false });
  return standalone.default(ajv, ajv.compile(schema));
}

mkdirSync(`${dist}/validators`, { recursive: true });
const validators = ['definition', 'jobs', 'manifest'].map((name) => {
  const path = `validators/${name}.cjs`;
  writeFileSync(join(dist, path), compileSchema(name));
  return path;
});

/** Compiles WebAssembly out of its text to a place in dist/. */
async function compileWat(source, path) {
  const { parseWat } = await initWabt();
  const module = parseWat(source, readFileSync(join(root, 'src', source)));
  module.validate();
  writeFileSync(join(dist, path), module.toBinary({}).buffer);
  module.destroy();
  return path;
}

const kernel = await compileWat('core/sha256-lanes.wat', 'program/sha256-lanes.wasm');

/** The declarations that those of a file lead to, itself included. */
function declarationsFrom(path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'));
  for (const { fileName } of importedFiles) {
    if (!fileName.startsWith('.')) continue;
    declarationsFrom(resolve(dirname(path), fileName.replace(/\.js$/, '.d.ts')), found);
  }
  return found;
}

// Whoever imports the package is told about what it exports.
const declarations = declarationsFrom(join(dist, 'index.d.ts'));

// What shells complete the program with, out of its own commands, for whoever packages it.
const compiled = async (path) => import(pathToFileURL(join(dist, path)).href);
const { makeProgram } = await compiled('cli/program.js');
const { completionScript, SCRIPT_NAMES } = await compiled('cli/completion/completion-script.js');
mkdirSync(`${dist}/completions`, { recursive: true });
const completions = Object.entries(SCRIPT_NAMES).map(([shell, name]) => {
  const path = `completions/${name}`;
  writeFileSync(join(dist, path), completionScript(shell, makeProgram([])));
  return path;
});

// What earlier builds made of files that are gone, or of pieces with other names, would stay for ever.
const bundled = [metafile, pageMetafile].flatMap(({ outputs }) => Object.keys(outputs));
const RECORD = 'build.json';
const products = [RECORD, ...validators, kernel, ...completions];
const made = new Set([...products, ...bundled.map((path) => relative('dist', path))]);
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = relative(dist, join(entry.parentPath ?? entry.path, entry.name));
  const source = path.replace(/(?:\.d\.ts|\.js)(?:\.map)?$/, '.ts');
  const isMade = made.has(path) || existsSync(join(root, 'src', source));
  const isSeen = !path.endsWith('.d.ts') || declarations.has(join(dist, path));
  if (!isMade || !isSeen) rmSync(join(dist, path));
}

// What the program was built from, and the hash of what came of it: a policy for production asks.
const { commit = null, isClean = false } = checkedOut() ?? {};
const { programSha256 } = await import(pathToFileURL(join(dist, 'core/program-hash.js')).href);
const record = { commit, clean: isClean, program_sha256: programSha256(root) };
writeFileSync(join(dist, RECORD), `${JSON.stringify(record)}\n`);
