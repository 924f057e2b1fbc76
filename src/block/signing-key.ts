import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { badKey, ed25519Only, KEY_LABELS, pemLabel, wrongLabel } from '../formats/key-file.js';
import { toPublicKey, type PublicKey } from '../formats/signature.js';

/** The longest passphrase that OpenSSL takes. */
export const MOST_PASSPHRASE_BYTES = 1024;

/**
 * A whole Ed25519 key. Plain data, so that a thread can be told; a secret, which is shown nowhere.
 *
 * @group Trust
 */
export interface SigningKey extends PublicKey {
  /** The private key as DER (PKCS#8), not encrypted. */
  readonly pkcs8: Uint8Array;
}

/** A new key as its files hold it. */
export interface NewKey {
  readonly id: string;
  /** PKCS#8, encrypted where a passphrase was given. */
  readonly privatePem: string;
  /** SPKI. */
  readonly publicPem: string;
}

/** Makes a key from the operating system's randomness. */
export function newSigningKey(passphrase?: Uint8Array): NewKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const form = { type: 'pkcs8', format: 'pem' } as const;
  const lock = passphrase && { cipher: 'aes-256-cbc', passphrase: Buffer.from(passphrase) };
  return {
    id: toPublicKey(publicKey).id,
    privatePem: privateKey.export({ ...form, ...lock }).toString(),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

/**
 * Reads a private key: Ed25519, as PKCS#8 in PEM, encrypted or not.
 *
 * @param bytes - The content of its file.
 * @param place - Where the bytes come from, as it may be shown.
 * @returns A secret: it is to be shown nowhere.
 * @throws InputError `bad-key`; no message repeats anything of the key or the passphrase.
 * @group Trust
 */
export function parseSigningKey(
  bytes: Uint8Array,
  place: string,
  passphrase?: Uint8Array,
): SigningKey {
  const label = pemLabel(bytes, place);
  if (label === KEY_LABELS.public) {
    throw badKey(place, 'is a public key, which cannot sign; give its private half');
  }
  const isEncrypted = label === KEY_LABELS.encrypted;
  if (!isEncrypted && label !== KEY_LABELS.private) throw wrongLabel(place, label);
  if (isEncrypted && passphrase === undefined) {
    throw badKey(place, 'is encrypted; give its passphrase with --passphrase-file');
  }
  if (!isEncrypted && passphrase !== undefined) {
    throw badKey(place, 'is not encrypted; leave the passphrase out');
  }
  const pem = Buffer.from(bytes);
  const key = passphrase
    ? ed25519Only(
        place,
        () => createPrivateKey({ key: pem, passphrase: Buffer.from(passphrase) }),
        'cannot be opened: the passphrase is wrong, or the file is damaged',
      )
    : ed25519Only(place, () => createPrivateKey(pem));
  return {
    ...toPublicKey(createPublicKey(key)),
    pkcs8: Uint8Array.from(key.export({ type: 'pkcs8', format: 'der' })),
  };
}
