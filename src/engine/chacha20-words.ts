import { createCipheriv } from 'node:crypto';
import { HOST_IS_LITTLE_ENDIAN } from '../core/row-text.js';
import type { WordSource } from './word-source.js';

/** Keystream bytes drawn at a time. */
const PIECE_BYTES = 16_384;

const ZEROS = Buffer.alloc(PIECE_BYTES);

/** Block counter 0 (four bytes) and a nonce of zeros (twelve): each stream has a key of its own. */
const COUNTER_AND_NONCE = Buffer.alloc(16);

/**
 * The `chacha20` engine: the ChaCha20 keystream (RFC 8439) under the stream key, nonce zero, counter
 * from 0. A word is four bytes of it, little-endian.
 */
export function chacha20Words(key: Uint8Array): WordSource {
  const cipher = createCipheriv('chacha20', key, COUNTER_AND_NONCE);
  return {
    nextWords() {
      const keystream = cipher.update(ZEROS);
      if (!HOST_IS_LITTLE_ENDIAN) keystream.swap32();
      return aligned(keystream);
    },
  };
}

function aligned(bytes: Buffer): Uint32Array {
  const whole = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Uint32Array(whole.buffer, whole.byteOffset, whole.byteLength / 4);
}
