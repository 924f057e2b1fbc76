import { Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import { textOption } from './option-kinds.js';
import {
  definitionOption,
  identityOption,
  passphraseOption,
  saltKeyOption,
  threadsOption,
} from './options.js';
import type { SignFlags } from './run-sign.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block sign output/eldorado-100-e1-b1 --key operator.key',
    'gen-block sign output/eldorado-100-e1-b1 --key auditor.key --passphrase-file passphrase.txt',
    'gen-block verify output/eldorado-100-e1-b1 --trusted-key operator.key.pub --trusted-key auditor.key.pub',
  ],
  notes: [
    'A signature is 64 bytes beside the file that it is of: manifest.json.<key id>.sig. Keys: gen-block key --help.',
  ],
  exits: { 0: 'the block conforms and is signed', 1: 'it does not conform and is not signed' },
};

/** `gen-block sign`. */
export function signCommand(): Command {
  return new Command('sign')
    .description('verify a block in full and sign it')
    .argument('<block>', 'block folder or its manifest.json')
    .addOption(
      textOption(
        '--key <file>',
        'private key (Ed25519, PEM); - for standard input',
      ).makeOptionMandatory(),
    )
    .addOption(passphraseOption())
    .addOption(definitionOption('where the block is of one'))
    .addOption(identityOption())
    .addOption(
      saltKeyOption(
        "the block's salt key, to check the root of what is signed",
        'the root is not recomputed',
      ),
    )
    .addOption(threadsOption())
    .option('--force', 'replace a signature by this key that is none of what lies there')
    .option('-q, --quiet', 'print nothing but errors')
    .configureHelp(teaching(HELP))
    .action(async (path: string, flags: SignFlags) => {
      const { runSign } = await import('./run-sign.js');
      await runSign(path, flags);
    });
}
