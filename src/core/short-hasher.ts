import { ROUND_CONSTANTS, START_STATE } from './sha256-constants.js';

const BLOCK_BYTES = 64;

/** Bytes of a SHA-256. */
export const HASH_BYTES = 32;

/** The bit that ends every message, and the 64 bits of its length. */
const PADDING_BYTES = 9;

/** The state of SHA-256 between two blocks: eight words. */
export type HashState = Int32Array;

/**
 * SHA-256 (FIPS 180-4) of very many short messages, one after the other. A call of the system's library
 * costs more than the hashing of so few bytes, and a block's tree has millions of them; for anything long,
 * `node:crypto` is faster.
 *
 * The caller writes each message into {@link message}, and nothing is allocated for it.
 */
export class ShortHasher {
  /** Where the message is written, from the first byte on. */
  message: Uint8Array;
  readonly #state = new Int32Array(8);
  readonly #schedule = new Int32Array(64);

  /** @param mostBytes - The longest message to be expected; {@link makeRoom} is for a longer one. */
  constructor(mostBytes: number) {
    this.message = new Uint8Array(roomFor(mostBytes));
  }

  /** Gives {@link message} room for a message of this length; what stands there is kept. */
  makeRoom(bytes: number): void {
    if (roomFor(bytes) <= this.message.length) return;
    const larger = new Uint8Array(roomFor(2 * bytes));
    larger.set(this.message);
    this.message = larger;
  }

  /**
   * Hashes the first `length` bytes of {@link message}, whose rest is overwritten.
   *
   * @param target - Takes the hash, 32 bytes from `at` on; it may be the message itself.
   * @param after - The state that whole blocks before the message have led to; they are not hashed again.
   */
  hash(length: number, target: Uint8Array, at: number, after?: HashState, blocksBefore = 0): void {
    this.#start(after);
    const end = this.#pad(length, blocksBefore * BLOCK_BYTES + length);
    for (let from = 0; from < end; from += BLOCK_BYTES) this.#compress(from);
    for (let word = 0; word < 8; word += 1) {
      const value = this.#state[word] ?? 0;
      const to = at + 4 * word;
      target[to] = value >>> 24;
      target[to + 1] = value >>> 16;
      target[to + 2] = value >>> 8;
      target[to + 3] = value;
    }
  }

  /** The state after the one block that stands in {@link message}. */
  stateAfterBlock(): HashState {
    this.#start();
    this.#compress(0);
    return this.#state.slice();
  }

  #start(state: HashState = START_STATE): void {
    this.#state.set(state);
  }

  /** Ends the message as section 5.1.1 says. Returns where its last block ends. */
  #pad(length: number, bytesInAll: number): number {
    const { message } = this;
    const end = roomFor(length);
    message[length] = 0x80;
    message.fill(0, length + 1, end - 4);
    const bits = 8 * bytesInAll;
    message[end - 4] = bits >>> 24;
    message[end - 3] = bits >>> 16;
    message[end - 2] = bits >>> 8;
    message[end - 1] = bits;
    return end;
  }

  /** Section 6.2.2, for the block of the message that begins at `from`. */
  #compress(from: number): void {
    const state = this.#state;
    const words = this.#schedule;
    fillSchedule(words, this.message, from);
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

/** The bytes of a message with its padding. */
function roomFor(bytes: number): number {
  return Math.ceil((bytes + PADDING_BYTES) / BLOCK_BYTES) * BLOCK_BYTES;
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
