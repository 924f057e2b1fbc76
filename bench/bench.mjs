/*
 * The benchmark: `npm run bench`. Measures gen-block and its yardsticks, interleaved in one run, each
 * command as a whole process; prints medians and ratios, and writes them as JSON. Times by themselves
 * prove nothing on a shared machine; ratios out of one run do. Options: `npm run bench -- --help`.
 */
/* global AbortController */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ENGINE_IDS, gameIds } from '../dist/index.js';
import { defaultJob, genBlock, makeCommands, projectFile, STAKE } from './commands.mjs';
import { describeMachine, findTools, measure } from './machine.mjs';
import { computeRatios, median, QUANTITIES } from './ratios.mjs';
import { costTable, ratioTable } from './tables.mjs';

const HELP = `Usage: npm run bench -- [options]

Options:
  --game <id>      ${gameIds().join(' or ')} (default: both)
  --engine <name>  ${ENGINE_IDS.join(' or ')} (default: seedrandom)
  --runs <number>  rounds, each of which runs every command once (default: 5)
  --only <list>    only the commands of these names, joined by commas
  --verify         only verify that the blocks of the yardsticks conform
  --check          exit code 1 where a ratio misses its reach; for people, not for CI
  --json <file>    where the results are written (default: bench/results/latest.json)
  --help           print this
`;

const FORMATS = ['ndjson', 'csv'];

function say(text) {
  process.stderr.write(`bench: ${text}\n`);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      game: { type: 'string' },
      engine: { type: 'string', default: 'seedrandom' },
      runs: { type: 'string', default: '5' },
      only: { type: 'string' },
      verify: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      json: { type: 'string', default: projectFile('bench/results/latest.json') },
      help: { type: 'boolean', default: false },
    },
  });
  const games = values.game === undefined ? gameIds() : [values.game];
  refuseUnknown('--game', games, gameIds());
  refuseUnknown('--engine', [values.engine], ENGINE_IDS);
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs is no whole number from 1 on');
  return { ...values, games, runs, only: values.only?.split(',') };
}

function refuseUnknown(option, words, known) {
  const unknown = words.find((word) => !known.includes(word));
  if (unknown === undefined) return;
  throw new Error(`${option} has the unknown name ${unknown}; choose from ${known.join(', ')}`);
}

/** Makes the block that is read, and all that is needed to measure a game. */
async function prepareGame(game, context) {
  const { options, tools, signal, temporaryFolder } = context;
  const folder = join(temporaryFolder, game);
  const blocks = join(folder, 'blocks');
  mkdirSync(blocks, { recursive: true });
  const seedFile = join(folder, 'bench.seed');
  writeFileSync(seedFile, 'bench\n');
  const bench = { game, engine: options.engine, seedFile, tools, out: join(folder, 'out') };
  await measure({ ...tools, signal, words: defaultJob({ ...bench, out: blocks }) });
  const block = join(blocks, `${game}-${STAKE.cents}-e1-b1`);
  const outcomes = join(folder, 'outcomes.txt');
  writeFileSync(outcomes, outcomesText(block));
  const all = makeCommands({ ...bench, block, outcomes });
  const names = all.map(({ name }) => name);
  refuseUnknown('--only', options.only ?? [], names);
  const commands = all.filter(({ name }) => options.only?.includes(name) ?? true);
  return { ...bench, block, all, commands, costs: new Map() };
}

/** The outcomes of a finished block, as the C program reads them. */
function outcomesText(block) {
  const { outcomes } = JSON.parse(readFileSync(join(block, 'manifest.json'), 'utf8'));
  const lines = outcomes.map(({ count, prize_cents, combination, extra_stages, chosen }) =>
    [count, prize_cents, combination || '-', extra_stages ?? chosen].join(' '),
  );
  const mechanic = outcomes[0]?.chosen === undefined ? 'rows' : 'collect';
  return `${[mechanic, ...lines].join('\n')}\n`;
}

/** Runs a command on a fresh output folder, which is removed again after `look`. */
async function runFresh(command, { out }, { tools, signal }, look = async () => undefined) {
  mkdirSync(out);
  try {
    const cost = await measure({ ...tools, signal, words: command.words });
    await look();
    return cost;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** A yardstick that does less than the work proves nothing: all of its tickets have to conform. */
async function verifyYardsticks(bench, context) {
  const { game, out, commands } = bench;
  const { tools, signal } = context;
  for (const command of commands.filter(({ words, writes }) => writes && words !== undefined)) {
    await runFresh(command, bench, context, async () => {
      for (const format of FORMATS) {
        const what = ['--game', game, '--stake', STAKE.euros, '--quiet'];
        const words = genBlock('verify', join(out, `tickets.${format}`), ...what);
        await measure({ ...tools, signal, words });
      }
    });
    say(`${game}: both files of ${command.name} conform`);
  }
}

async function measureRound(bench, context) {
  for (const command of bench.commands.filter(({ words }) => words !== undefined)) {
    const cost = await runFresh(command, bench, context);
    const rounds = bench.costs.get(command.name) ?? [];
    bench.costs.set(command.name, [...rounds, cost]);
  }
}

/** The medians of a game's commands, and all rounds. */
function gameResults({ game, block, commands, costs }) {
  const sizes = FORMATS.map((format) => [format, statSync(join(block, `tickets.${format}`)).size]);
  const measured = commands.map(({ name, what, missing }) => {
    const rounds = costs.get(name);
    if (rounds === undefined) return { name, what, missing };
    const medians = Object.keys(QUANTITIES).map((quantity) => [
      quantity,
      median(rounds.map((cost) => cost[quantity])),
    ]);
    return { name, what, ...Object.fromEntries(medians), rounds };
  });
  const bytes = Object.fromEntries(sizes);
  return { game, bytes, commands: measured, ratios: computeRatios(costs) };
}

function printGame({ all, commands, costs }, { game, bytes, ratios }) {
  const shown = ratios.filter(({ of, by }) =>
    [of, by ?? of].every((name) => commands.some((command) => command.name === name)),
  );
  const size = FORMATS.map((format) => `${format} ${(bytes[format] / 1e6).toFixed(1)} MB`);
  process.stdout.write(`\n${game}, stake ${STAKE.euros} (${size.join(', ')})\n\n`);
  process.stdout.write(`${costTable(commands, costs)}\n${ratioTable(all, shown)}`);
}

/** Says which reaches were missed, and sets the exit code. */
function check(results) {
  const missed = results.flatMap(({ game, ratios }) =>
    ratios.filter(({ reached }) => reached === false).map((ratio) => ({ game, ...ratio })),
  );
  for (const { game, of, by, quantity, value, bound, reach } of missed) {
    const what = `${of}${by === undefined ? ' in MB' : ` / ${by}`}, ${QUANTITIES[quantity]}`;
    say(`${game}: ${what}: ${value.toFixed(2)}, should be ${bound} ${reach}`);
  }
  if (missed.length > 0) process.exitCode = 1;
  else say('every ratio that was measured reaches its target');
}

function report(benches, { options, tools }) {
  const results = benches.map(gameResults);
  const machine = describeMachine(tools);
  const { engine, runs } = options;
  const words = `medians of ${runs} interleaved rounds, engine ${engine}`;
  process.stdout.write(`${words}\n${Object.values(machine).join(', ')}\n`);
  for (const [index, bench] of benches.entries()) printGame(bench, results[index]);
  mkdirSync(dirname(options.json), { recursive: true });
  const text = JSON.stringify({ machine, engine, runs, games: results }, undefined, 2);
  writeFileSync(options.json, `${text}\n`);
  if (options.check) check(results);
}

async function benchmark(context) {
  const { options } = context;
  const benches = [];
  for (const game of options.games) benches.push(await prepareGame(game, context));
  for (const bench of benches) await verifyYardsticks(bench, context);
  if (options.verify) return;
  for (let round = 1; round <= options.runs; round += 1) {
    for (const bench of benches) await measureRound(bench, context);
    say(`round ${round} of ${options.runs} is done`);
  }
  report(benches, context);
}

/** Works in a folder of its own, which is removed whatever happens. */
async function main() {
  const options = readOptions();
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());
  const temporaryFolder = mkdtempSync(join(tmpdir(), 'gen-block-bench-'));
  try {
    const tools = findTools(temporaryFolder);
    await benchmark({ options, tools, temporaryFolder, signal: stop.signal });
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (error) {
  say(error.name === 'AbortError' ? 'stopped' : error.message);
  process.exitCode = 2;
}
