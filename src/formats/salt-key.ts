import { InputError, printable } from '../core/errors.js';

/** The version of the form of a salt-key file. */
const SALT_KEY_FORMAT = 'gen-block-salt-key/1';

/** More than any salt-key file has. */
export const MOST_SALT_KEY_BYTES = 512;

/** One line: the form, the block's name, and the key in hex. */
const LINE = /^(?<format>\S+) (?<block>\S+) (?<key>[0-9a-f]{64})\r?\n?$/;

/** The bytes of a salt-key file: what a server that proves tickets is given in place of the seed. */
export function encodeSaltKey(blockName: string, key: Uint8Array): Uint8Array {
  return Buffer.from(`${SALT_KEY_FORMAT} ${blockName} ${Buffer.from(key).toString('hex')}\n`);
}

/**
 * The key out of a salt-key file.
 *
 * @param place - What the file is called in a message.
 * @param blockName - The block that it must be of.
 * @throws InputError `bad-salt-key`; the message never repeats the key.
 */
export function parseSaltKey(bytes: Uint8Array, place: string, blockName: string): Uint8Array {
  const { format, block, key } = LINE.exec(Buffer.from(bytes).toString('latin1'))?.groups ?? {};
  if (format !== SALT_KEY_FORMAT || block === undefined || key === undefined) {
    const message = `${printable(place)} is no salt-key file; gen-block seed salt-key makes one`;
    throw new InputError('bad-salt-key', message);
  }
  if (block === blockName) return Buffer.from(key, 'hex');
  const message = `${printable(place)} is the salt key of ${printable(block)}, and not of ${blockName}; give the block's own`;
  throw new InputError('bad-salt-key', message);
}
