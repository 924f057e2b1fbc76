import { Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import { numbersOption, textOption } from './option-kinds.js';
import {
  SEED_VARIABLE,
  definitionOption,
  identityOption,
  saltKeyOption,
  seedFileOption,
  seedOption,
} from './options.js';
import type { ProveFlags } from './run-prove.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block prove output/eldorado-100-e1-b1 --ticket 1234 --seed-file emission-1.seed > ticket-1234.proof',
    'gen-block prove output/eldorado-100-e1-b1 --ticket 7,8 --salt-key block-1.salt',
    'gen-block prove output/eldorado-100-e1-b1 --all --salt-key block-1.salt -o block-1.proofs',
  ],
  notes: [
    'The block must have been generated with --commit-tickets. A proof is one line of JSON, of less than 2 KB, that anybody can check with "check-proof" and the commitment that was published; it tells nothing of other tickets.',
    'A server that proves tickets is given the salt key ("seed salt-key") and never the seed, which makes the block again. Memory: 64 bytes a ticket.',
  ],
  environment: ['seed'],
  exits: { 2: 'wrong usage, or the block is not the one that was committed to' },
};

/** `gen-block prove`. */
export function proveCommand(): Command {
  return new Command('prove')
    .description('prove that tickets belong to a block that was committed to')
    .argument('<block>', 'block folder or its manifest.json')
    .addOption(
      numbersOption('--ticket <numbers>', 'numbers of the tickets, joined by commas').default(
        undefined,
        'give --all',
      ),
    )
    .option('--all', 'every ticket of the block, one proof a line')
    .addOption(saltKeyOption("the block's salt key"))
    .addOption(seedOption())
    .addOption(seedFileOption(`${SEED_VARIABLE}, or else give --salt-key`))
    .addOption(definitionOption('where the block is of one'))
    .addOption(identityOption())
    .addOption(textOption('-o, --out <file>', 'file to make').default(undefined, 'standard output'))
    .option('--force', 'replace the file if it is there')
    .configureHelp(teaching(HELP))
    .action(async (path: string, flags: ProveFlags) => {
      const { runProve } = await import('./run-prove.js');
      await runProve(path, flags);
    });
}
