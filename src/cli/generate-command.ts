import { Command } from 'commander';
import { ConformanceError, generateBlock, type GeneratedBlock } from '../block/generate-block.js';
import type { EngineId } from '../core/algorithm.js';
import { InputError, printable } from '../core/errors.js';
import { findStake } from '../definitions/load-game.js';
import { blockName } from '../formats/manifest.js';
import type { TicketFormat } from '../formats/ticket-formats.js';
import { EXIT } from './exit-code.js';
import {
  chosenGame,
  definitionOption,
  engineOption,
  formatOption,
  gameOption,
  numberOption,
  refuseSwallowedFlags,
  stakeOption,
  textOption,
} from './options.js';
import { reportText } from './report-text.js';
import { findSeed, makeSeedFile, SEED_VARIABLE } from './seed-input.js';
import { abortOnSignals } from './signals.js';
import { ProgressBar, processTerminal, type Terminal } from './terminal.js';

interface GenerateFlags {
  readonly game?: string;
  readonly definition?: string;
  readonly stake?: number;
  readonly seed?: string;
  readonly seedFile?: string;
  readonly emission: number;
  readonly block: number;
  readonly format: readonly TicketFormat[];
  readonly out: string;
  readonly engine: EngineId;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Examples:
  gen-block --game eldorado --stake 1 --seed demo
  gen-block -g lagon-paradis -s 0.5 --seed-file production.seed --engine chacha20 --block 7
  gen-block --definition my-game.json --stake 2 --format csv --out blocks

Without a seed a fresh one of 256 bits is made and written beside the block.
A seed can also stand in the environment, in ${SEED_VARIABLE}.`;

/** `gen-block generate`, which is also what `gen-block` alone does. */
export function generateCommand(argv: readonly string[]): Command {
  return new Command('generate')
    .description('generate a block, verify the bytes on the disk, and keep it')
    .addOption(gameOption())
    .addOption(stakeOption())
    .addOption(textOption('--seed <text>', 'seed, for tests: others can see the command line'))
    .addOption(textOption('--seed-file <file>', 'file with the seed; - for standard input'))
    .addOption(numberOption('--emission <number>', 'number of the emission'))
    .addOption(numberOption('--block <number>', 'number of the block within its emission'))
    .addOption(formatOption())
    .addOption(textOption('-o, --out <folder>', 'output folder').default('output'))
    .addOption(engineOption())
    .addOption(definitionOption())
    .option('--force', 'replace a block that is there already')
    .option('--json', 'print the report as JSON')
    .option('-q, --quiet', 'print nothing but errors')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: GenerateFlags, command: Command) => {
      refuseSwallowedFlags(command, argv);
      await runGenerate(flags, processTerminal(flags));
    });
}

async function runGenerate(flags: GenerateFlags, terminal: Terminal): Promise<void> {
  const startedAt = performance.now();
  const { emission, block, engine, format: formats, out: outputFolder, force = false } = flags;
  const game = chosenGame(flags);
  if (flags.stake === undefined) {
    throw new InputError('usage', 'no stake is given; add --stake <euros>');
  }
  const { stakeCents } = findStake(game, flags.stake);
  const name = blockName({ gameId: game.id, stakeCents, emission, block });
  const seed = (await findSeed(flags, process.env, terminal.note)) ?? (await freshSeed());
  const request = { game, stakeCents, seed, engine, emission, block };
  const bar = new ProgressBar(terminal);
  const signals = abortOnSignals();
  try {
    const { signal } = signals;
    const options = { outputFolder, formats, force, signal, onProgress: bar.show };
    const made = await generateBlock(request, options);
    bar.stop();
    report(made);
  } catch (error) {
    bar.stop();
    if (!(error instanceof ConformanceError)) throw error;
    terminal.error(error.message);
    terminal.write(flags.json === true ? jsonText(error) : reportText(error.report));
    process.exitCode = EXIT.nonconforming;
  } finally {
    signals.stop();
  }

  async function freshSeed(): Promise<Uint8Array> {
    const fresh = await makeSeedFile(outputFolder, name);
    terminal.note(
      `a fresh seed was written to ${printable(fresh.path)}; whoever has it knows every winner`,
    );
    return fresh.seed;
  }

  function report(made: GeneratedBlock): void {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const done = made.kept
      ? `${printable(made.folder)} was there already: verified and kept`
      : `${printable(made.folder)} was generated and verified`;
    if (flags.json === true) terminal.write(jsonText(made));
    else if (flags.quiet !== true) terminal.write(reportText(made.report));
    terminal.note(`${done} in ${seconds} s`);
  }
}

function jsonText(value: {
  readonly report: unknown;
  readonly folder?: string;
  readonly kept?: boolean;
}): string {
  const { folder, kept, report } = value;
  return `${JSON.stringify({ folder, kept, report })}\n`;
}
