import { MOST_PASSPHRASE_BYTES, parseSigningKey, type SigningKey } from '../block/signing-key.js';
import { InputError, printable } from '../core/errors.js';
import { readFileBytes } from '../core/read-json-file.js';
import { KEY_LABELS, MOST_KEY_BYTES, parsePublicKey, pemLabel } from '../formats/key-file.js';
import type { PublicKey } from '../formats/signature.js';
import { placeOfSecret, readSecret, readSecretLine, warnOfReaders } from './secret-file.js';

/** Where a key to sign with is to be found. */
export interface KeyFiles {
  /** The file of the private key; `-` is standard input. */
  readonly key: string;
  readonly passphraseFile?: string | undefined;
}

/** The options of a command that signs what it makes. */
export interface SignWithFlags {
  readonly signKey?: string;
  readonly passphraseFile?: string;
  readonly seedFile?: readonly string[];
}

type Warn = (message: string) => void;

/**
 * Reads the key that a command is to sign with; `undefined` where none is given.
 *
 * @throws As {@link readSigningKey}; InputError `usage` where options contradict each other.
 */
export async function findSigningKey(
  { signKey, passphraseFile, seedFile = [] }: SignWithFlags,
  warn: Warn,
): Promise<SigningKey | undefined> {
  if (signKey === undefined) {
    if (passphraseFile === undefined) return undefined;
    throw new InputError('usage', '--passphrase-file goes with --sign-key; give both or none');
  }
  if (seedFile.includes('-')) refuseTwice([signKey, passphraseFile, '-']);
  return readSigningKey({ key: signKey, passphraseFile }, warn);
}

/**
 * Reads a private key, and the passphrase that it is encrypted with.
 *
 * @throws InputError `bad-key`, `not-found`, `usage`; MachineError. No message repeats a secret.
 */
export async function readSigningKey(
  { key, passphraseFile }: KeyFiles,
  warn: Warn,
): Promise<SigningKey> {
  refuseTwice([key, passphraseFile]);
  const bytes = await readSecret(key, 'key file', MOST_KEY_BYTES);
  const passphrase = await readPassphrase(passphraseFile, warn);
  const signingKey = parseSigningKey(bytes, placeOfSecret(key), passphrase);
  warnOfReaders(key, warn);
  return signingKey;
}

/**
 * Reads a passphrase; `undefined` where no file is given.
 *
 * @throws InputError `bad-key` where it is none that OpenSSL would take, `not-found`; MachineError.
 */
export async function readPassphrase(
  path: string | undefined,
  warn: Warn,
): Promise<Uint8Array | undefined> {
  if (path === undefined) return undefined;
  const passphrase = await readSecretLine(path, 'passphrase file', MOST_PASSPHRASE_BYTES);
  const place = placeOfSecret(path);
  const wrong = passphraseFault(passphrase);
  if (wrong !== undefined) {
    throw new InputError('bad-key', `the passphrase from ${place} ${wrong}`, { place });
  }
  warnOfReaders(path, warn);
  return passphrase;
}

function passphraseFault(passphrase: Uint8Array): string | undefined {
  if (passphrase.length === 0) return 'is empty';
  if (passphrase.length > MOST_PASSPHRASE_BYTES) {
    return `is longer than ${MOST_PASSPHRASE_BYTES} bytes`;
  }
  // Other tools would take the first line only.
  const isOneLine = passphrase.every((byte) => byte !== 0 && byte !== 0x0a && byte !== 0x0d);
  return isOneLine ? undefined : 'is more than one line of text';
}

/** Reads the public keys that signatures are held against. */
export function readTrustedKeys(paths: readonly string[]): readonly PublicKey[] {
  return paths.map((path) => parsePublicKey(readKeyFile(path), printable(path)));
}

/** The public half of the key in a file, whichever half that has. */
export async function readEitherKey(
  path: string,
  passphraseFile: string | undefined,
  warn: Warn,
): Promise<PublicKey> {
  const bytes = readKeyFile(path);
  const place = printable(path);
  const label = pemLabel(bytes, place);
  if (label === KEY_LABELS.public) return parsePublicKey(bytes, place);
  const isEncrypted = label === KEY_LABELS.encrypted;
  const passphrase = isEncrypted ? await readPassphrase(passphraseFile, warn) : undefined;
  const key = parseSigningKey(bytes, place, passphrase);
  warnOfReaders(path, warn);
  return key;
}

function readKeyFile(path: string): Uint8Array {
  return readFileBytes(path, MOST_KEY_BYTES);
}

function refuseTwice(paths: readonly (string | undefined)[]): void {
  if (paths.filter((path) => path === '-').length < 2) return;
  throw new InputError('usage', 'standard input is one of them; put the others into files');
}
