import { randomBytes } from 'node:crypto';
import { makeAgeHeader } from '../formats/age-header.js';
import {
  AGE_CHUNK_BYTES,
  AGE_NONCE_BYTES,
  AGE_TAG_BYTES,
  payloadKey,
  sealChunk,
} from '../formats/age-payload.js';

/**
 * Encrypts bytes piece by piece into one age file, with a new key each time. What it hands out holds
 * until the next piece is put in: fresh memory for it would take longer than the cipher.
 */
export class AgeEncrypter {
  readonly #key: Uint8Array;
  /** A chunk in the making: whether a full one is the last, only the next byte can tell. */
  readonly #chunk = new Uint8Array(AGE_CHUNK_BYTES);
  #length = 0;
  #index = 0;
  /** What is ready, and as far as it has been filled. */
  #output: Uint8Array;
  #ready: number;

  private constructor(opening: Uint8Array, key: Uint8Array) {
    this.#output = opening;
    this.#ready = opening.length;
    this.#key = key;
  }

  /** @param recipients - Who can decrypt it; they must have been checked. */
  static async create(recipients: readonly string[]): Promise<AgeEncrypter> {
    const { header, fileKey } = await makeAgeHeader(recipients);
    const nonce = randomBytes(AGE_NONCE_BYTES);
    return new AgeEncrypter(Buffer.concat([header, nonce]), payloadKey(fileKey, nonce));
  }

  /** Takes the next bytes. Returns what is ready by then, which may be nothing. */
  encrypt(bytes: Uint8Array): Uint8Array {
    this.#makeRoom(bytes.length);
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#length === AGE_CHUNK_BYTES) this.#seal(false);
      const piece = rest.subarray(0, AGE_CHUNK_BYTES - this.#length);
      this.#chunk.set(piece, this.#length);
      this.#length += piece.length;
      rest = rest.subarray(piece.length);
    }
    return this.#take();
  }

  /** Ends the file. Returns what is left of it. */
  finish(): Uint8Array {
    this.#makeRoom(0);
    this.#seal(true);
    return this.#take();
  }

  #makeRoom(byteCount: number): void {
    const chunks = 1 + Math.ceil(byteCount / AGE_CHUNK_BYTES);
    const size = this.#ready + chunks * (AGE_CHUNK_BYTES + AGE_TAG_BYTES);
    if (size <= this.#output.length) return;
    const output = new Uint8Array(size);
    output.set(this.#output.subarray(0, this.#ready));
    this.#output = output;
  }

  #seal(isLast: boolean): void {
    const plain = this.#chunk.subarray(0, this.#length);
    for (const part of sealChunk(this.#key, { index: this.#index, isLast }, plain)) {
      this.#output.set(part, this.#ready);
      this.#ready += part.length;
    }
    this.#index += 1;
    this.#length = 0;
  }

  #take(): Uint8Array {
    const bytes = this.#output.subarray(0, this.#ready);
    this.#ready = 0;
    return bytes;
  }
}
