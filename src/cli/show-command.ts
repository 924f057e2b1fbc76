import { Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import { givenOptions } from './given-options.js';
import {
  countOption,
  eurosOption,
  numberOption,
  numbersOption,
  textOption,
} from './option-kinds.js';
import {
  SEED_VARIABLE,
  definitionOption,
  engineOption,
  gameOption,
  identityOption,
  languageOption,
  seedFileOption,
  seedOption,
  stakeOption,
} from './options.js';
import type { ShowFlags } from './run-show.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block show output/eldorado-100-e1-b1 --ticket 1234',
    'gen-block show output/eldorado-100-e1-b1 --prize 15 --random --count 3',
    'gen-block show output/eldorado-100-e1-b1 --tier 1',
    'gen-block show output/lagon-paradis-100-e1-b1 --losing --choice perle',
    'gen-block show -g eldorado -s 1 --seed-file emission-1.seed --block 7 --ticket 1234 --json',
  ],
  notes: [
    'A block\'s files are read, or without them the ticket is made again from the seed. Ticket 1 and "--prize" without "--random" are the first of the block. What is shown is as secret as the block.',
  ],
  environment: ['seed', 'colors'],
  exits: { 2: 'wrong usage, or no such ticket' },
};

/** The most tickets that are shown at once. */
const MOST_SHOWN = 1000;

/** `gen-block show`: draws tickets as the player sees them, out of a block or from the seed alone. */
export function showCommand(): Command {
  return new Command('show')
    .description('draw tickets as the player sees them, out of a block or from the seed alone')
    .argument('[block]', 'block folder or its manifest.json; without it, the seed is asked for')
    .optionsGroup('Which tickets:')
    .addOption(
      numbersOption('--ticket <numbers>', 'numbers of the tickets, joined by commas').default(
        undefined,
        'the first that fits',
      ),
    )
    .addOption(
      eurosOption('--prize <euros>', 'a ticket of this prize, in euros').default(
        undefined,
        'any prize',
      ),
    )
    .addOption(
      countOption(
        '--tier <line>',
        'a ticket of this line of the prize table; 1 is the top',
      ).default(undefined, 'any line'),
    )
    .option('--losing', 'a losing ticket')
    .option('--random', 'any of them, by chance, and not the first')
    .addOption(
      countOption('--count <number>', 'how many tickets', MOST_SHOWN).default(
        undefined,
        '1 ticket',
      ),
    )
    .optionsGroup('How they are shown:')
    .addOption(
      textOption(
        '--choice <symbol>',
        'only the grid of this symbol, by name or letter, in a game with a choice',
      ).default(undefined, 'all grids'),
    )
    .addOption(languageOption())
    .option('--json', 'print the records as they stand in tickets.ndjson')
    .optionsGroup('From a block:')
    .addOption(definitionOption())
    .addOption(identityOption())
    .optionsGroup('From the seed:')
    .addOption(gameOption('refused, unless a block or a definition is named'))
    .addOption(stakeOption('refused, unless a block is named'))
    .addOption(seedOption())
    .addOption(seedFileOption(`${SEED_VARIABLE}, needed unless a block is named`))
    .addOption(numberOption('--emission <number>', 'number of the emission'))
    .addOption(numberOption('--block <number>', 'number of the block within its emission'))
    .addOption(engineOption())
    .optionsGroup('Help:')
    .configureHelp(teaching(HELP))
    .action(async (path: string | undefined, flags: ShowFlags, command: Command) => {
      const { runShow } = await import('./run-show.js');
      await runShow(path, flags, givenOptions(command));
    });
}
