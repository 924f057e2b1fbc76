import { Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import { textOption } from './option-kinds.js';
import type { CheckProofFlags } from './run-check-proof.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block check-proof ticket-1234.proof --commitment commitment.json',
    'gen-block check-proof block-1.proofs --root 3f1c…',
    'gen-block prove output/eldorado-100-e1-b1 --ticket 7 --salt-key block-1.salt | gen-block check-proof - --commitment commitment.json',
  ],
  notes: [
    'Take the commitment from where it was published before the sale, and not from whoever gave you the proof. Neither the block nor any secret is needed, nor even this program: docs/check-proof.py does the same in a page of Python.',
  ],
  exits: { 0: 'every proof holds', 1: 'one does not', 2: 'wrong usage, or no proof' },
};

/** `gen-block check-proof`. */
export function checkProofCommand(): Command {
  return new Command('check-proof')
    .description('check proofs that tickets belong to a block that was committed to')
    .argument('<file>', 'file of proofs, one a line; - for standard input')
    .addOption(
      textOption('--commitment <file>', 'commitment.json as it was published').default(
        undefined,
        'give --root',
      ),
    )
    .addOption(
      textOption('--root <hash>', 'in its place the Merkle root alone, 64 hex digits').default(
        undefined,
        'give --commitment',
      ),
    )
    .option('--json', 'print the result as JSON')
    .option('-q, --quiet', 'print nothing but errors; the exit code tells')
    .configureHelp(teaching(HELP))
    .action(async (path: string, flags: CheckProofFlags) => {
      const { runCheckProof } = await import('./run-check-proof.js');
      await runCheckProof(path, flags);
    });
}
