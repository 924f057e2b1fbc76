import { ROUND_CONSTANTS, START_STATE } from './sha256-constants.js';

/** SHA-256 takes a message in blocks. */
export const BLOCK_BYTES = 64;

/** Bytes of a SHA-256. */
export const HASH_BYTES = 32;

/** The bit that ends every message, and the 64 bits of its length. */
const PADDING_BYTES = 9;

/** The state of SHA-256 between two blocks: eight words. */
export type HashState = Int32Array;

/** The bytes of a message with its padding: whole blocks. */
export function paddedBytes(length: number): number {
  return Math.ceil((length + PADDING_BYTES) / BLOCK_BYTES) * BLOCK_BYTES;
}

/**
 * Ends a message as section 5.1.1 of FIPS 180-4 says.
 *
 * @param from - Where the message begins in `bytes`, which have room for its padding.
 * @param blocksBefore - How many blocks have been hashed before it.
 * @returns How many blocks it makes.
 */
export function padMessage(
  bytes: Uint8Array,
  from: number,
  length: number,
  blocksBefore = 0,
): number {
  const padded = paddedBytes(length);
  const end = from + padded;
  bytes[from + length] = 0x80;
  for (let at = from + length + 1; at < end - 4; at += 1) bytes[at] = 0;
  const bits = 8 * (blocksBefore * BLOCK_BYTES + length);
  bytes[end - 4] = bits >>> 24;
  bytes[end - 3] = bits >>> 16;
  bytes[end - 2] = bits >>> 8;
  bytes[end - 1] = bits;
  return padded / BLOCK_BYTES;
}

/**
 * SHA-256 (FIPS 180-4) of short messages, block by block out of bytes that stand anywhere and have been
 * padded. A call of the system's library costs more than the hashing of so few bytes; for anything long,
 * `node:crypto` is faster, and for very many messages {@link LaneHasher}.
 */
export class ShortHasher {
  readonly #state = new Int32Array(8);
  readonly #schedule = new Int32Array(64);

  /** @param state - What the blocks before have led to. */
  start(state: HashState = START_STATE): void {
    this.#state.set(state);
  }

  /** Takes the next blocks, whose bytes begin at `from`. */
  addBlocks(bytes: Uint8Array, from: number, blocks: number): void {
    const end = from + blocks * BLOCK_BYTES;
    for (let at = from; at < end; at += BLOCK_BYTES) this.#addBlock(bytes, at);
  }

  /** A copy of the state after the blocks so far. */
  state(): HashState {
    return this.#state.slice();
  }

  /** Writes the state as a hash, 32 bytes from `at` on. */
  write(target: Uint8Array, at: number): void {
    for (let word = 0; word < 8; word += 1) {
      const value = this.#state[word] ?? 0;
      const to = at + 4 * word;
      target[to] = value >>> 24;
      target[to + 1] = value >>> 16;
      target[to + 2] = value >>> 8;
      target[to + 3] = value;
    }
  }

  /** Section 6.2.2. */
  #addBlock(bytes: Uint8Array, from: number): void {
    const state = this.#state;
    const words = this.#schedule;
    fillSchedule(words, bytes, from);
    let a = state[0] ?? 0;
    let b = state[1] ?? 0;
    let c = state[2] ?? 0;
    let d = state[3] ?? 0;
    let e = state[4] ?? 0;
    let f = state[5] ?? 0;
    let g = state[6] ?? 0;
    let h = state[7] ?? 0;
    for (let round = 0; round < 64; round += 1) {
      const sum1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const choice = g ^ (e & (f ^ g));
      const key = ((ROUND_CONSTANTS[round] ?? 0) + (words[round] ?? 0)) | 0;
      const first = (((h + sum1) | 0) + ((choice + key) | 0)) | 0;
      const sum0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const majority = (a & b) | (c & (a | b));
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + ((sum0 + majority) | 0)) | 0;
    }
    state[0] = (state[0] ?? 0) + a;
    state[1] = (state[1] ?? 0) + b;
    state[2] = (state[2] ?? 0) + c;
    state[3] = (state[3] ?? 0) + d;
    state[4] = (state[4] ?? 0) + e;
    state[5] = (state[5] ?? 0) + f;
    state[6] = (state[6] ?? 0) + g;
    state[7] = (state[7] ?? 0) + h;
  }
}

function fillSchedule(words: Int32Array, bytes: Uint8Array, from: number): void {
  for (let word = 0, at = from; word < 16; word += 1, at += 4) {
    words[word] =
      ((bytes[at] ?? 0) << 24) |
      ((bytes[at + 1] ?? 0) << 16) |
      ((bytes[at + 2] ?? 0) << 8) |
      (bytes[at + 3] ?? 0);
  }
  for (let word = 16; word < 64; word += 1) {
    const x = words[word - 15] ?? 0;
    const y = words[word - 2] ?? 0;
    const sigma0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const sigma1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[word] =
      (((sigma0 + (words[word - 7] ?? 0)) | 0) + ((sigma1 + (words[word - 16] ?? 0)) | 0)) | 0;
  }
}
