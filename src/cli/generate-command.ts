import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { InputError, printable } from '../core/errors.js';
import { findStake } from '../definitions/load-game.js';
import { blockName } from '../formats/manifest.js';
import { generateFolder } from './generate-folder.js';
import type { GenerateFlags, GenerateJob } from './generate-job.js';
import {
  chosenGame,
  definitionOption,
  engineOption,
  formatOption,
  gameOption,
  numberOption,
  stakeOption,
  textOption,
} from './options.js';
import { findSeed, makeSeedFile, SEED_VARIABLE } from './seed-input.js';
import { streamToStdout } from './stream-to-stdout.js';
import { processTerminal, type Terminal } from './terminal.js';

const EXAMPLES = `
Examples:
  gen-block --game eldorado --stake 1 --seed demo
  gen-block -g lagon-paradis -s 0.5 --seed-file production.seed --engine chacha20 --block 7
  gen-block -g eldorado -s 1 --seed-file production.seed -f csv -o - --manifest m.json | loader
  gen-block --definition my-game.json --stake 2 --format csv --out blocks

Without a seed a fresh one of 256 bits is made and written beside the block.
A seed can also stand in the environment, in ${SEED_VARIABLE}.`;

/** `gen-block generate`, which is also what `gen-block` alone does. */
export function generateCommand(): Command {
  return new Command('generate')
    .description('generate a block, verify the bytes on the disk, and keep it')
    .addOption(gameOption())
    .addOption(stakeOption())
    .addOption(textOption('--seed <text>', 'seed, for tests: others can see the command line'))
    .addOption(textOption('--seed-file <file>', 'file with the seed; - for standard input'))
    .addOption(numberOption('--emission <number>', 'number of the emission'))
    .addOption(numberOption('--block <number>', 'number of the block within its emission'))
    .addOption(formatOption())
    .addOption(
      textOption('-o, --out <folder>', 'output folder; - for standard output').default('output'),
    )
    .addOption(textOption('--manifest <file>', 'with --out -, where the manifest is written'))
    .addOption(engineOption())
    .addOption(definitionOption())
    .option('--force', 'replace a block that is there already')
    .option('--json', 'print the report as JSON')
    .option('-q, --quiet', 'print nothing but errors')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: GenerateFlags) => {
      const terminal = processTerminal(flags);
      const toStream = flags.out === '-';
      if (toStream) checkStreamFlags(flags);
      else if (flags.manifest !== undefined) {
        throw new InputError('usage', '--manifest goes with --out -; a folder has its own');
      }
      const job = await makeJob(flags, terminal);
      await (toStream ? streamToStdout(job, terminal) : generateFolder(job, terminal));
    });
}

function checkStreamFlags(flags: GenerateFlags): void {
  if (flags.format.length !== 1) {
    throw new InputError('usage', '--out - writes one format; add --format ndjson or --format csv');
  }
  if (flags.manifest !== undefined && existsSync(flags.manifest)) {
    const message = `${printable(flags.manifest)} is there already; choose another name`;
    throw new InputError('target-exists', message);
  }
  if (flags.json === true) {
    throw new InputError('usage', '--out - fills standard output with tickets; leave --json out');
  }
}

/** Everything that is decided before the work begins; the seed is asked for last. */
async function makeJob(flags: GenerateFlags, terminal: Terminal): Promise<GenerateJob> {
  const { emission, block, engine } = flags;
  const game = chosenGame(flags);
  if (flags.stake === undefined) {
    throw new InputError('usage', 'no stake is given; add --stake <euros>');
  }
  const { stakeCents } = findStake(game, flags.stake);
  const name = blockName({ gameId: game.id, stakeCents, emission, block });
  const request = { game, stakeCents, engine, emission, block };
  const given = await findSeed(flags, process.env, terminal.note);
  if (given !== undefined) return { flags, request: { ...request, seed: given } };
  const { seed, path } = await makeFreshSeed(flags, name, terminal);
  return { flags, request: { ...request, seed }, freshSeedPath: path };
}

async function makeFreshSeed(
  { out, force }: GenerateFlags,
  name: string,
  terminal: Terminal,
): ReturnType<typeof makeSeedFile> {
  if (out === '-') {
    const message =
      '--out - has no folder for a fresh seed; give one with --seed-file or in the environment';
    throw new InputError('usage', message);
  }
  const folder = join(out, name);
  if (force !== true && existsSync(folder)) {
    const message = `${printable(folder)} is there already; give its seed with --seed-file to verify it, or use --force to replace it`;
    throw new InputError('target-exists', message);
  }
  const fresh = await makeSeedFile(out, name);
  // With --quiet too: a seed that nobody knows of is a danger, and a lost one a lost block.
  terminal.error(
    `a fresh seed was written to ${printable(fresh.path)}; whoever has it knows every winner`,
  );
  return fresh;
}
