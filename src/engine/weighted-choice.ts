import { assert, defined } from '../core/assert.js';
import type { RandomStream } from './random-stream.js';

const WORD_BITS = 32n;

/** With eight words the choice is undecided with a probability below 2^-200. */
const MOST_WORDS = 8;

/**
 * An exact choice among items with integer weights of any size.
 *
 * The items share the interval from 0 to 1 in proportion to their weights. The words drawn are the
 * binary digits of a point in it, 32 at a time: as soon as all points that begin with these digits
 * lie in one item, it is chosen. One word decides nearly always. A choice among one takes no word.
 */
export class WeightedChoice {
  readonly #items: readonly number[];
  /** Cumulative weights: item i owns from `ends[i - 1]` (0 for the first) to `ends[i]`. */
  readonly #ends: readonly bigint[];
  /** Words from `low` on and below `high` decide for the item at once. */
  readonly #low: Float64Array;
  readonly #high: Float64Array;

  /** @param weights - Non-negative, one at least positive; items of weight 0 are never chosen. */
  constructor(weights: readonly bigint[]) {
    const items: number[] = [];
    const ends: bigint[] = [];
    let total = 0n;
    weights.forEach((weight, item) => {
      if (weight === 0n) return;
      total += weight;
      items.push(item);
      ends.push(total);
    });
    assert(items.length > 0, 'a choice needs an item of positive weight');
    this.#items = items;
    this.#ends = ends;
    const starts = [0n, ...ends.slice(0, -1)];
    const scale = (end: bigint): bigint => end << WORD_BITS;
    this.#low = Float64Array.from(starts, (start) => Number((scale(start) + total - 1n) / total));
    this.#high = Float64Array.from(ends, (end) => Number(scale(end) / total));
  }

  /** Draws an item: its index in the weights. */
  pick(stream: RandomStream): number {
    if (this.#items.length === 1) return this.#items[0] ?? 0;
    const word = stream.nextSigned() >>> 0;
    const high = this.#high;
    let index = 0;
    while (word >= (high[index] ?? Infinity)) index += 1;
    if (word >= (this.#low[index] ?? 0)) return this.#items[index] ?? 0;
    return this.#pickWithMoreWords(stream, BigInt(word));
  }

  #pickWithMoreWords(stream: RandomStream, firstWord: bigint): number {
    const total = defined(this.#ends.at(-1), 'the total weight');
    let digits = firstWord;
    for (let words = 2n; words <= MOST_WORDS; words += 1n) {
      digits = (digits << WORD_BITS) | BigInt(stream.nextWord());
      const from = digits * total;
      const to = from + total;
      const scale = words * WORD_BITS;
      const index = this.#ends.findIndex((end) => from < end << scale);
      if (to <= defined(this.#ends[index], 'the end of an item') << scale) {
        return defined(this.#items[index], 'an item');
      }
    }
    assert(false, `${MOST_WORDS} words did not decide a choice: a broken engine`);
  }
}
