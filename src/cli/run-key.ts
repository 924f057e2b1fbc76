import { unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { kindOfEntry, syncFolder } from '../block/block-folder.js';
import { writeNewFile } from '../block/new-file.js';
import { newSigningKey } from '../block/signing-key.js';
import { InputError, printable } from '../core/errors.js';
import { readEitherKey, readPassphrase } from './key-input.js';
import { processTerminal } from './terminal.js';

/** The options of `key new` and `key id`. */
export interface KeyFlags {
  readonly passphraseFile?: string;
}

/** Makes a key in two new files and shows its id. */
export async function runKeyNew(path: string, { passphraseFile }: KeyFlags): Promise<void> {
  const terminal = processTerminal({});
  const passphrase = await readPassphrase(passphraseFile, terminal.note);
  const publicPath = `${path}.pub`;
  if ((await kindOfEntry(publicPath)) !== 'nothing') {
    const message = `${printable(publicPath)} is there already; move it away or choose another name`;
    throw new InputError('target-exists', message);
  }
  const { id, privatePem, publicPem } = newSigningKey(passphrase);
  await writeNewFile(path, Buffer.from(privatePem));
  try {
    await writeNewFile(publicPath, Buffer.from(publicPem));
  } catch (error) {
    // Nobody has signed with it yet, and half a pair would be in the way.
    await unlink(path).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
  terminal.write(line(id, path));
  const lock = passphrase === undefined ? ', not encrypted' : '';
  terminal.note(
    `${printable(path)} has the private key${lock}; whoever reads it can sign in its name; ${printable(publicPath)} is for everybody`,
  );
}

/** Shows the ids of keys. */
export async function runKeyId(
  paths: readonly string[],
  { passphraseFile }: KeyFlags,
): Promise<void> {
  const terminal = processTerminal({});
  const lines: string[] = [];
  for (const path of paths) {
    const { id } = await readEitherKey(path, passphraseFile, terminal.note);
    lines.push(line(id, path));
  }
  terminal.write(lines.join(''));
}

/** As sha256sum writes it: the id, and what it is of. */
function line(id: string, path: string): string {
  return `${id}  ${printable(path)}\n`;
}
