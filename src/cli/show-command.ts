import { Command } from 'commander';
import {
  countOption,
  definitionOption,
  engineOption,
  eurosOption,
  gameOption,
  givenOptions,
  identityOption,
  languageOption,
  numberOption,
  numbersOption,
  seedFileOption,
  seedOption,
  stakeOption,
  textOption,
} from './options.js';
import type { ShowFlags } from './run-show.js';

const EXAMPLES = `
Examples:
  gen-block show output/eldorado-100-e1-b1 --ticket 1234
  gen-block show output/eldorado-100-e1-b1 --prize 15 --random --count 3
  gen-block show output/eldorado-100-e1-b1 --tier 1
  gen-block show output/lagon-paradis-100-e1-b1 --losing --choice perle
  gen-block show -g eldorado -s 1 --seed-file emission-1.seed --block 7 --ticket 1234 --json

A block's files are read, or without them the ticket is made again from the seed. Ticket 1 and
"--prize" without "--random" are the first of the block. What is shown is as secret as the block.

Exit codes: 0 done, 2 wrong usage or no such ticket, 3 the machine failed.`;

/** The most tickets that are shown at once. */
const MOST_SHOWN = 1000;

/** `gen-block show`: draws tickets as the player sees them, out of a block or from the seed alone. */
export function showCommand(): Command {
  return new Command('show')
    .description('draw tickets as the player sees them, out of a block or from the seed alone')
    .argument('[block]', 'block folder or its manifest.json; without it, the seed is asked for')
    .addOption(numbersOption('--ticket <numbers>', 'these tickets, joined by commas'))
    .addOption(eurosOption('--prize <euros>', 'a ticket of this prize'))
    .addOption(
      countOption('--tier <line>', 'a ticket of this line of the prize table; 1 is the top'),
    )
    .option('--losing', 'a losing ticket')
    .option('--random', 'any of them, by chance, and not the first')
    .addOption(countOption('--count <number>', 'how many (default: 1)', MOST_SHOWN))
    .addOption(textOption('--choice <symbol>', 'only the grid of this choice (Lagon Paradis)'))
    .addOption(languageOption())
    .option('--json', 'print the records as they stand in tickets.ndjson')
    .addOption(definitionOption())
    .addOption(identityOption())
    .addOption(gameOption())
    .addOption(stakeOption())
    .addOption(seedOption())
    .addOption(seedFileOption())
    .addOption(numberOption('--emission <number>', 'number of the emission'))
    .addOption(numberOption('--block <number>', 'number of the block within its emission'))
    .addOption(engineOption())
    .addHelpText('after', EXAMPLES)
    .action(async (path: string | undefined, flags: ShowFlags, command: Command) => {
      const { runShow } = await import('./run-show.js');
      await runShow(path, flags, givenOptions(command));
    });
}
