import { Command } from 'commander';
import {
  definitionOption,
  engineOption,
  gameOption,
  numberOption,
  stakeOption,
  textOption,
} from './options.js';
import type { ShowFlags } from './run-show.js';

const EXAMPLES = `
Examples:
  gen-block show -g eldorado -s 1 --seed-file emission-1.seed --block 7 --ticket 1234
  gen-block show -g eldorado -s 1 --seed demo --ticket 1234 --json`;

/** `gen-block show`: makes one ticket again from the seed alone, without the block's files. */
export function showCommand(): Command {
  return new Command('show')
    .description('make one ticket again from the seed alone, and show it')
    .addOption(gameOption())
    .addOption(stakeOption())
    .addOption(textOption('--seed <text>', 'seed, for tests: others can see the command line'))
    .addOption(textOption('--seed-file <file>', 'file with the seed; - for standard input'))
    .addOption(numberOption('--emission <number>', 'number of the emission'))
    .addOption(numberOption('--block <number>', 'number of the block within its emission'))
    .addOption(numberOption('--ticket <number>', 'number of the ticket within its block'))
    .addOption(engineOption())
    .addOption(definitionOption())
    .option('--json', 'print the record as it stands in tickets.ndjson')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ShowFlags) => {
      const { runShow } = await import('./run-show.js');
      await runShow(flags);
    });
}
