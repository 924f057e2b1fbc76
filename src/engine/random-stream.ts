import type { EngineId } from '../core/algorithm.js';
import { assert } from '../core/assert.js';
import { wordSource } from './engines.js';
import type { WordSource } from './word-source.js';

const TWO_32 = 4294967296;
const TWO_16 = 65536;

/** Up to this bound, word times bound is below 2^53 and exact as a double. */
const DOUBLE_EXACT_BOUND = 2097152;

/**
 * A draw is repeated with a probability below one half, so 128 repeats in a row are a broken engine
 * and no bad luck.
 */
const MOST_REPEATS = 128;

/** A stream of words, and the exactly uniform integers that are drawn from it, in order. */
export class RandomStream {
  readonly #source: WordSource;
  #words: Uint32Array = new Uint32Array(0);
  #position = 0;

  constructor(source: WordSource) {
    this.#source = source;
  }

  /** The next 32-bit word. */
  nextWord(): number {
    return this.nextSigned() >>> 0;
  }

  /**
   * The next 32-bit word as a signed integer. That one is handed from function to function as it is,
   * where half of all unsigned words would each become an object on the heap.
   */
  nextSigned(): number {
    if (this.#position === this.#words.length) {
      this.#words = this.#source.nextWords();
      this.#position = 0;
    }
    const word = this.#words[this.#position] ?? 0;
    this.#position += 1;
    return word | 0;
  }

  /**
   * An integer from 0 to `bound - 1`, each exactly equally likely: the high half of word times
   * bound, drawn again where the low half is below 2^32 mod bound (Lemire's method). A choice among
   * one takes no word.
   *
   * @param bound - 1 to 2^32.
   */
  uniform(bound: number): number {
    if (bound === 1) return 0;
    const word = this.nextSigned();
    // The remainder is below the bound, so it is worked out only where it can matter.
    if (Math.imul(word, bound) >>> 0 < bound) return this.#uniformFrom(word, bound);
    return highHalf(word, bound);
  }

  /** The same, out of the first word from the one in hand on whose low half is large enough. */
  #uniformFrom(wordInHand: number, bound: number): number {
    const remainder = TWO_32 % bound;
    let word = wordInHand;
    for (let repeat = 0; repeat < MOST_REPEATS; repeat += 1) {
      if (Math.imul(word, bound) >>> 0 >= remainder) return highHalf(word, bound);
      word = this.nextSigned();
    }
    assert(false, `${MOST_REPEATS} draws below ${bound} in a row were refused: a broken engine`);
  }
}

/** Floor of word, taken as unsigned, times bound over 2^32. */
function highHalf(signedWord: number, bound: number): number {
  const word = signedWord >>> 0;
  // The result is below 2^31, so that cutting the fraction off is the floor, and quicker.
  if (bound <= DOUBLE_EXACT_BOUND) return ((word * bound) / TWO_32) | 0;
  // In two halves of 16 bits, so that every step is exact.
  const highPart = Math.floor(word / TWO_16) * bound;
  const lowPart = (word % TWO_16) * bound;
  return Math.floor((highPart + Math.floor(lowPart / TWO_16)) / TWO_16);
}

/** Starts a stream from its 32-byte key. */
export function randomStream(engine: EngineId, key: Uint8Array): RandomStream {
  return new RandomStream(wordSource(engine, key));
}
