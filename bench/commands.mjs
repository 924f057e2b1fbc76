import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

/** The stake of all blocks of the benchmark. */
export const STAKE = { euros: '1', cents: 100 };

/** The path of a file of the project. */
export function projectFile(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/** The definition of a shipped game. */
export function definitionFile(game) {
  return projectFile(`src/definitions/games/${game}.json`);
}

/** The words of a `gen-block` command. */
export function genBlock(...words) {
  return [process.execPath, projectFile('bin/gen-block.js'), ...words];
}

/** The words of a default job: both formats, verified from the disk. */
export function defaultJob({ game, engine, seedFile, out }) {
  const what = ['--game', game, '--stake', STAKE.euros, '--engine', engine];
  return genBlock(...what, '--seed-file', seedFile, '--out', out, '--quiet');
}

/**
 * Everything that is measured on one game.
 *
 * @param bench.out - The folder that is fresh for every command.
 * @param bench.block - The folder of a finished block, which is what is read.
 * @param bench.outcomes - The list of outcomes for the C program.
 * @param bench.tools - The programs that were found: `python`, and `limit` where it could be built.
 * @returns Commands in the order in which a round runs them: a name, what it is, and its words.
 */
export function makeCommands(bench) {
  return [
    ...startCommands(),
    ...ownCommands(bench),
    ...systemCommands(bench),
    ...yardsticks(bench),
  ];
}

function startCommands() {
  return [
    { name: 'node-0', what: '`node -e 0`', words: [process.execPath, '-e', '0'] },
    { name: 'version', what: '`gen-block --version`', words: genBlock('--version') },
    { name: 'help', what: '`gen-block --help`', words: genBlock('--help') },
  ];
}

function ownCommands(bench) {
  const { game, block } = bench;
  const ndjson = join(block, 'tickets.ndjson');
  const bareVerify = ['verify', ndjson, '--game', game, '--stake', STAKE.euros, '--quiet'];
  return [
    generation(bench, 'generate-both', 'generate both', {}),
    generation(bench, 'generate-ndjson', 'generate NDJSON', { formats: 'ndjson' }),
    generation(bench, 'generate-csv', 'generate CSV', { formats: 'csv' }),
    generation(bench, 'generate-ten', 'generate ten blocks, both', { blocks: '10' }),
    {
      name: 'default-job',
      what: 'default job',
      words: defaultJob(bench),
    },
    { name: 'verify-ndjson', what: 'verify NDJSON', words: genBlock(...bareVerify) },
    { name: 'verify-block', what: 'verify a block', words: genBlock('verify', block, '--quiet') },
    { name: 'audit', what: 'audit a block', words: genBlock('audit', block, '--quiet') },
  ];
}

function generation({ game, engine, out }, name, what, options) {
  const all = { game, engine, out, 'stake-cents': String(STAKE.cents), ...options };
  const flags = Object.entries(all).flatMap(([flag, value]) => [`--${flag}`, value]);
  return {
    name,
    what,
    words: [process.execPath, projectFile('bench/generate-only.mjs'), ...flags],
  };
}

function systemCommands({ block, out }) {
  const ndjson = join(block, 'tickets.ndjson');
  const csv = join(block, 'tickets.csv');
  const digest = ['openssl', 'dgst', '-sha256'];
  return [
    {
      name: 'openssl-both',
      what: 'openssl of both',
      words: [...digest, ndjson, csv],
    },
    { name: 'openssl-ndjson', what: 'openssl of NDJSON', words: [...digest, ndjson] },
    { name: 'openssl-csv', what: 'openssl of CSV', words: [...digest, csv] },
    { name: 'cp-both', what: 'cp of both', words: ['cp', ndjson, csv, out] },
  ];
}

/** The same work done by other programs. */
function yardsticks({ game, out, outcomes, tools }) {
  const job = [definitionFile(game), String(STAKE.cents), out];
  const idiomatic = [process.execPath, projectFile('bench/yardsticks/idiomatic.mjs'), ...job];
  const python = [tools.python, projectFile('bench/yardsticks/plain.py'), ...job];
  const limit = tools.limit === undefined ? undefined : [tools.limit, outcomes, out];
  return [
    { name: 'idiomatic', what: 'default job in idiomatic Node.js', words: idiomatic, writes: true },
    { name: 'python', what: 'default job in plain Python', words: python, writes: true },
    {
      name: 'limit',
      what: 'generate both in C',
      words: limit,
      missing: tools.noLimit,
      writes: true,
    },
  ];
}
