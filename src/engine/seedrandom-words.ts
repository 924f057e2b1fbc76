import seedrandom from 'seedrandom';
import type { WordSource } from './word-source.js';

/** Words drawn at a time: enough to keep the calls cheap, few enough to waste little at the end. */
const WORDS = 256;

/**
 * The `seedrandom` engine: the ARC4 generator of the seedrandom package, keyed with the stream key
 * as 64 lower-case hex digits (the package folds long, periodic and non-Latin strings together; hex
 * of a fixed length is safe from all three). A word is one `int32()`, taken as unsigned.
 *
 * The package sets the generator up; from its state on the steps are taken here, over bytes in place
 * of its list of numbers, at a third of the time. The tests hold both to the same words.
 */
export function seedrandomWords(key: Uint8Array): WordSource {
  const hex = Buffer.from(key).toString('hex');
  return new Arc4Words(seedrandom(hex, { state: true }).state());
}

class Arc4Words implements WordSource {
  readonly #words = new Uint32Array(WORDS);
  readonly #state: Uint8Array;
  #i: number;
  #j: number;

  constructor({ S, i, j }: seedrandom.State.Arc4) {
    this.#state = Uint8Array.from(S);
    this.#i = i;
    this.#j = j;
  }

  /** A step swaps two bytes of the state and gives a third one; a word is four, the first one high. */
  nextWords(): Uint32Array {
    const state = this.#state;
    const words = this.#words;
    let i = this.#i;
    let j = this.#j;
    for (let index = 0; index < WORDS; index += 1) {
      let word = 0;
      for (let step = 0; step < 4; step += 1) {
        i = (i + 1) & 255;
        const a = state[i] ?? 0;
        j = (j + a) & 255;
        const b = state[j] ?? 0;
        state[i] = b;
        state[j] = a;
        word = (word << 8) | (state[(a + b) & 255] ?? 0);
      }
      words[index] = word;
    }
    this.#i = i;
    this.#j = j;
    return words;
  }
}
