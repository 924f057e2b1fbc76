import { Command } from 'commander';
import { teaching, type CommandHelp } from './command-help.js';
import { passphraseOption } from './options.js';
import type { KeyFlags } from './run-key.js';

const HELP: CommandHelp = {
  examples: [
    'gen-block key new operator.key --passphrase-file passphrase.txt',
    'gen-block key id operator.key.pub auditor.pub',
  ],
  notes: [
    'Keys are Ed25519 in PEM, as openssl makes and reads them: PKCS#8 the private half, SPKI the public one. The id of a key is the start of the SHA-256 of its public half; the names of its signatures have it.',
  ],
};

const NEW_HELP: CommandHelp = {
  examples: [
    'gen-block key new operator.key',
    'gen-block key new operator.key --passphrase-file passphrase.txt',
  ],
};

const ID_HELP: CommandHelp = {
  examples: [
    'gen-block key id operator.key.pub auditor.pub',
    'gen-block key id operator.key --passphrase-file passphrase.txt',
  ],
};

/** `gen-block key`. */
export function keyCommand(): Command {
  return new Command('key')
    .description('make a key to sign blocks with, or show the id of one')
    .configureHelp(teaching(HELP))
    .addCommand(
      new Command('new')
        .description('make a key in two new files, <file> and <file>.pub, and show its id')
        .argument('<file>', 'file of the private key; only its owner will be able to read it')
        .addOption(
          passphraseOption(
            'file with a passphrase to encrypt it with; - for standard input',
            'the key is not encrypted',
          ),
        )
        .configureHelp(teaching(NEW_HELP))
        .action(async (path: string, flags: KeyFlags) => {
          const { runKeyNew } = await import('./run-key.js');
          await runKeyNew(path, flags);
        }),
    )
    .addCommand(
      new Command('id')
        .description('show the ids of keys')
        .argument('<files...>', 'files of public or private keys')
        .addOption(passphraseOption())
        .configureHelp(teaching(ID_HELP))
        .action(async (paths: readonly string[], flags: KeyFlags) => {
          const { runKeyId } = await import('./run-key.js');
          await runKeyId(paths, flags);
        }),
    );
}
