import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

/** Bytes of the plain text in every chunk of a payload but the last one, which may have fewer. */
export const AGE_CHUNK_BYTES = 65_536;

/** What each chunk has behind its text, by which it is known to be right. */
export const AGE_TAG_BYTES = 16;

/** What a payload begins with, and its key is derived from. */
export const AGE_NONCE_BYTES = 16;

const CIPHER = 'chacha20-poly1305';
const KEY_BYTES = 32;

/** A chunk's nonce: its number in eleven bytes, big-endian, and whether it is the last one. */
const CHUNK_NONCE_BYTES = 12;
const NUMBER_BYTES = 6;

/** A chunk of a payload: its number from 0, and whether it is the last one. */
export interface AgeChunk {
  readonly index: number;
  readonly isLast: boolean;
}

/** How long the payload of a content of so many bytes is. */
export function payloadBytes(contentBytes: number): number {
  const chunks = Math.max(1, Math.ceil(contentBytes / AGE_CHUNK_BYTES));
  return AGE_NONCE_BYTES + contentBytes + chunks * AGE_TAG_BYTES;
}

/** The key of a payload (HKDF-SHA-256), out of the file's key and the nonce that stands before the chunks. */
export function payloadKey(fileKey: Uint8Array, nonce: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', fileKey, nonce, 'payload', KEY_BYTES));
}

/** Encrypts a chunk: its text and its tag. */
export function sealChunk(
  key: Uint8Array,
  chunk: AgeChunk,
  plain: Uint8Array,
): readonly [text: Uint8Array, tag: Uint8Array] {
  const cipher = createCipheriv(CIPHER, key, chunkNonce(chunk), { authTagLength: AGE_TAG_BYTES });
  const text = cipher.update(plain);
  cipher.final();
  return [text, cipher.getAuthTag()];
}

/** Decrypts a chunk. Returns `undefined` where its tag is not right: then nothing of it is handed out. */
export function openChunk(
  key: Uint8Array,
  chunk: AgeChunk,
  sealed: Uint8Array,
): Uint8Array | undefined {
  const end = sealed.length - AGE_TAG_BYTES;
  if (end < 0) return undefined;
  const options = { authTagLength: AGE_TAG_BYTES };
  const decipher = createDecipheriv(CIPHER, key, chunkNonce(chunk), options);
  decipher.setAuthTag(sealed.subarray(end));
  const plain = decipher.update(sealed.subarray(0, end));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return plain;
}

function chunkNonce({ index, isLast }: AgeChunk): Uint8Array {
  const nonce = Buffer.alloc(CHUNK_NONCE_BYTES);
  nonce.writeUIntBE(index, CHUNK_NONCE_BYTES - 1 - NUMBER_BYTES, NUMBER_BYTES);
  nonce[CHUNK_NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}
