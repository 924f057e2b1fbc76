import { createHash, type KeyObject } from 'node:crypto';

/** The length of an Ed25519 signature, which is all that is in its file. */
export const SIGNATURE_BYTES = 64;

/** How much of the hash of a public key is its id. */
const KEY_ID_DIGITS = 16;

/** A file of a block that is signed, and the very bytes of it that are. */
export interface SignedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * The public half of an Ed25519 key; plain data.
 *
 * @group Trust
 */
export interface PublicKey {
  /** By which people and the names of files know it: the start of the SHA-256 of {@link spki}. */
  readonly id: string;
  /** The key as DER (SubjectPublicKeyInfo). */
  readonly spki: Uint8Array;
}

/** The public half of a key, which may be the public half itself. */
export function toPublicKey(key: KeyObject): PublicKey {
  const spki = Uint8Array.from(key.export({ type: 'spki', format: 'der' }));
  const id = createHash('sha256').update(spki).digest('hex').slice(0, KEY_ID_DIGITS);
  return { id, spki };
}

/** What the signature of a file by a key is called; it lies beside the file. */
export function signatureName(file: string, keyId: string): string {
  return `${file}.${keyId}.sig`;
}

/** Whose signature a name says to be beside a block's files; `undefined` where it is no signature's name. */
export function keyIdInName(name: string): string | undefined {
  return SIGNATURE_OF_KEY.exec(name)?.groups?.['keyId'];
}

const SIGNATURE_OF_KEY = /^(?:manifest|commitment)\.json\.(?<keyId>[0-9a-f]{16})\.sig$/;
