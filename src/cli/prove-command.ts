import { Command } from 'commander';
import {
  definitionOption,
  identityOption,
  numbersOption,
  saltKeyOption,
  seedFileOption,
  seedOption,
  textOption,
} from './options.js';
import type { ProveFlags } from './run-prove.js';

const EXAMPLES = `
Examples:
  gen-block prove output/eldorado-100-e1-b1 --ticket 1234 --seed-file emission-1.seed > ticket-1234.proof
  gen-block prove output/eldorado-100-e1-b1 --ticket 7,8 --salt-key block-1.salt
  gen-block prove output/eldorado-100-e1-b1 --all --salt-key block-1.salt -o block-1.proofs

The block must have been generated with --commit-tickets. A proof is one line of JSON, of less than 2 KB, that
anybody can check with "check-proof" and the commitment that was published; it tells nothing of other tickets.
A server that proves tickets is given the salt key ("seed salt-key") and never the seed, which makes the block
again. Memory: 64 bytes a ticket.

Exit codes: 0 done, 2 wrong usage or the block is not the one that was committed to, 3 the machine failed.`;

/** `gen-block prove`. */
export function proveCommand(): Command {
  return new Command('prove')
    .description('prove that tickets belong to a block that was committed to')
    .argument('<block>', 'block folder or its manifest.json')
    .addOption(numbersOption('--ticket <numbers>', 'numbers of the tickets, joined by commas'))
    .option('--all', 'every ticket of the block, one proof a line')
    .addOption(saltKeyOption("the block's salt key"))
    .addOption(seedOption())
    .addOption(seedFileOption())
    .addOption(definitionOption('where the block is of one'))
    .addOption(identityOption())
    .addOption(textOption('-o, --out <file>', 'file to make (default: standard output)'))
    .option('--force', 'replace the file if it is there')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: ProveFlags) => {
      const { runProve } = await import('./run-prove.js');
      await runProve(path, flags);
    });
}
