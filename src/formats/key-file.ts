import { createPublicKey, type KeyObject } from 'node:crypto';
import { InputError, printable } from '../core/errors.js';
import { toPublicKey, type PublicKey } from './signature.js';

/** Keys take a tenth of it at most; what is longer is something else. */
export const MOST_KEY_BYTES = 16 * 1024;

/** What a file in PEM says that it holds; the first line of it. */
export const KEY_LABELS = {
  public: 'PUBLIC KEY',
  private: 'PRIVATE KEY',
  encrypted: 'ENCRYPTED PRIVATE KEY',
} as const;

const PEM_START = /^-----BEGIN (?<label>[^\r\n]{0,80})-----/gm;

/**
 * What a key file in PEM says that it holds.
 *
 * @param place - Where the bytes come from, as it may be shown.
 * @throws InputError `bad-key` where it is no such file, or holds more than one thing.
 */
export function pemLabel(bytes: Uint8Array, place: string): string {
  if (bytes.length > MOST_KEY_BYTES)
    throw badKey(place, 'is too long for a key; name the key file');
  const labels = [...Buffer.from(bytes).toString('latin1').matchAll(PEM_START)];
  if (labels.length > 1) throw badKey(place, 'holds more than one key; give a file with one');
  const label = labels[0]?.groups?.['label'];
  if (label === undefined) throw badKey(place, 'is no key in PEM; gen-block key new makes one');
  return label;
}

/**
 * Reads a public key: Ed25519, as SPKI in PEM.
 *
 * @param bytes - The content of its file.
 * @param place - Where the bytes come from, as it may be shown.
 * @returns The key and its id.
 * @throws InputError `bad-key`; no message repeats anything of the bytes but the kind of the key.
 * @group Trust
 */
export function parsePublicKey(bytes: Uint8Array, place: string): PublicKey {
  const label = pemLabel(bytes, place);
  if (label.endsWith(KEY_LABELS.private)) {
    throw badKey(place, 'is a private key; give its public half, the .pub beside it');
  }
  if (label !== KEY_LABELS.public) throw wrongLabel(place, label);
  return toPublicKey(ed25519Only(place, () => createPublicKey(Buffer.from(bytes))));
}

/**
 * Makes a key of bytes that may hold anything, and lets only the one kind pass that signs here.
 *
 * @param unreadable - What it means that no key can be made of them.
 */
export function ed25519Only(
  place: string,
  make: () => KeyObject,
  unreadable = 'cannot be read: it is damaged, or no key',
): KeyObject {
  let key: KeyObject;
  try {
    key = make();
  } catch {
    // Without its cause: nothing of a private key may come into a message.
    throw badKey(place, unreadable);
  }
  const { asymmetricKeyType: kind = 'unknown' } = key;
  if (kind === 'ed25519') return key;
  throw badKey(place, `is a key for ${kind}, and blocks are signed by Ed25519 only`);
}

/** Refuses what is a file in PEM and no key that can be used. */
export function wrongLabel(place: string, label: string): InputError {
  const found = printable(label, 40);
  return badKey(
    place,
    `holds "${found}", and no key as gen-block key new or openssl genpkey make it`,
  );
}

/** What is wrong with a key file. */
export function badKey(place: string, wrong: string): InputError {
  return new InputError('bad-key', `${place} ${wrong}`, { place });
}
