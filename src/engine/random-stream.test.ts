import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvariantError } from '../core/assert.js';
import { ENGINE_IDS } from '../core/algorithm.js';
import { evenChiSquareP } from '../testing/goodness-of-fit.js';
import { GivenWords, seededStream } from '../testing/random-streams.js';
import { wordSource } from './engines.js';
import { randomStream, RandomStream } from './random-stream.js';

const TWO_32 = 2 ** 32;
const WORDS = 1n << 32n;

/** A word that every bound accepts, for draws that refuse the first one. */
const ACCEPTED_WORD = TWO_32 - 1;

const BOUNDS = [
  2,
  3,
  5,
  6,
  7,
  1000,
  3020,
  3100,
  65_535,
  65_536,
  900_000,
  2 ** 21 - 1,
  2 ** 21,
  2 ** 21 + 1,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 31 + 1,
  2 ** 32 - 5,
  2 ** 32 - 1,
  2 ** 32,
];

/** What the code does with one word: the value that it draws, or nothing where it refuses it. */
function drawWith(word: number, bound: number): number | undefined {
  const source = new GivenWords([word, ACCEPTED_WORD]);
  const value = new RandomStream(source).uniform(bound);
  return source.taken === 1 ? value : undefined;
}

/** The same by definition, in exact integers. */
function expectedWith(word: number, bound: number): number | undefined {
  const product = BigInt(word) * BigInt(bound);
  return product % WORDS < WORDS % BigInt(bound) ? undefined : Number(product / WORDS);
}

/** The words whose product with the bound has this high half, by definition: the first and the last. */
function wordsOf(value: number, bound: number): { readonly first: number; readonly last: number } {
  const startOf = (item: bigint): number =>
    Number((item * WORDS + BigInt(bound) - 1n) / BigInt(bound));
  return { first: startOf(BigInt(value)), last: startOf(BigInt(value) + 1n) - 1 };
}

function edgeValues(bound: number): readonly number[] {
  const middle = Math.floor(bound / 2);
  const values = [0, 1, middle - 1, middle, middle + 1, bound - 2, bound - 1];
  return [...new Set(values.filter((value) => value >= 0 && value < bound))];
}

describe('a draw below a bound', () => {
  test.each(BOUNDS)('accepts equally many words for each value below %d', (bound) => {
    for (const value of edgeValues(bound)) {
      const { first, last } = wordsOf(value, bound);
      // Within this run of words the low half grows by the bound, so only the first can be refused.
      const start = drawWith(first, bound) === undefined ? first + 1 : first;
      expect(last - start + 1).toBe(Math.floor(TWO_32 / bound));
      for (const word of [start, Math.min(start + 1, last), Math.max(last - 1, start), last]) {
        expect(drawWith(word, bound)).toBe(value);
      }
      if (first > 0) expect([value - 1, undefined]).toContain(drawWith(first - 1, bound));
      if (last < TWO_32 - 1) expect([value + 1, undefined]).toContain(drawWith(last + 1, bound));
    }
  });

  test.each(BOUNDS)('takes and refuses words as exact integers say, below %d', (bound) => {
    for (const value of edgeValues(bound)) {
      const { first, last } = wordsOf(value, bound);
      for (let word = first - 2; word <= last + 2 && word <= first + 2; word += 1) {
        if (word < 0 || word >= TWO_32) continue;
        expect(drawWith(word, bound)).toBe(expectedWith(word, bound));
      }
    }
  });

  test('does what exact integers say for every word and bound', () => {
    const anyBound = fc.oneof(
      fc.integer({ min: 2, max: TWO_32 }),
      fc.integer({ min: 2, max: 5000 }),
      fc.integer({ min: -50, max: 50 }).map((step) => 2 ** 21 + step),
      fc.integer({ min: -50, max: 0 }).map((step) => TWO_32 + step),
      fc.integer({ min: 1, max: 32 }).map((bits) => 2 ** bits),
    );
    const anyWord = fc.oneof(
      fc.integer({ min: 0, max: TWO_32 - 1 }),
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 1, max: 50 }).map((step) => TWO_32 - step),
    );
    fc.assert(
      fc.property(anyWord, anyBound, (word, bound) => {
        expect(drawWith(word, bound)).toBe(expectedWith(word, bound));
      }),
      { seed: 1, numRuns: 5000 },
    );
  });

  test('does what exact integers say at the start of the words of any value', () => {
    const boundAndValue = fc
      .integer({ min: 2, max: TWO_32 })
      .chain((bound) => fc.tuple(fc.constant(bound), fc.integer({ min: 0, max: bound - 1 })));
    fc.assert(
      fc.property(boundAndValue, ([bound, value]) => {
        const { first, last } = wordsOf(value, bound);
        for (const word of [first, last]) {
          expect(drawWith(word, bound)).toBe(expectedWith(word, bound));
        }
      }),
      { seed: 2, numRuns: 3000 },
    );
  });

  test('of 1 is 0 and takes no word', () => {
    const source = new GivenWords([]);
    expect(new RandomStream(source).uniform(1)).toBe(0);
    expect(source.taken).toBe(0);
  });

  test.each([2, 4, 65_536, 2 ** 31, 2 ** 32])('below the power of two %d refuses none', (bound) => {
    expect(drawWith(0, bound)).toBe(0);
    expect(drawWith(TWO_32 - 1, bound)).toBe(bound - 1);
  });

  test('below 2^32 is the word itself', () => {
    expect(drawWith(3_141_592_653, TWO_32)).toBe(3_141_592_653);
  });

  test('goes on to the next word as often as words are refused', () => {
    // 2^32 mod 3 is 1 and mod 5 is 1, so 0 is the one word that both refuse.
    const source = new GivenWords([0, 0, 0, 2 ** 31, 0, ACCEPTED_WORD]);
    const stream = new RandomStream(source);
    expect(stream.uniform(3)).toBe(1);
    expect(source.taken).toBe(4);
    expect(stream.uniform(5)).toBe(4);
    expect(source.taken).toBe(6);
  });

  test('gives up on a source whose words are all refused', () => {
    const source = new GivenWords(new Array<number>(1000).fill(0));
    const stream = new RandomStream(source);
    expect(() => stream.uniform(3)).toThrow(InvariantError);
    expect(source.taken).toBe(129);
  });

  test('bears 127 refused words in a row', () => {
    const source = new GivenWords([...new Array<number>(127).fill(0), ACCEPTED_WORD]);
    expect(new RandomStream(source).uniform(3)).toBe(2);
  });
});

describe('a stream', () => {
  test('hands out the words of its source in order, across the pieces they come in', () => {
    const pieces = [[1, 2, 3], [4], [5, 6]];
    const stream = new RandomStream({ nextWords: () => Uint32Array.from(pieces.shift() ?? []) });
    const words = Array.from({ length: 6 }, () => stream.nextWord());
    expect(words).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('bears that its source uses one array again and again', () => {
    const words = new Uint32Array(2);
    let next = 0;
    const stream = new RandomStream({
      nextWords: () => {
        words[0] = next;
        words[1] = next + 1;
        next += 2;
        return words;
      },
    });
    expect(Array.from({ length: 7 }, () => stream.nextWord())).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test.each(ENGINE_IDS)('of the engine %s has its words', (engine) => {
    const key = Buffer.alloc(32, 'k');
    const stream = randomStream(engine, key);
    const source = wordSource(engine, key);
    const expected = [...source.nextWords(), ...source.nextWords().slice(0, 10)];
    expect(expected.map(() => stream.nextWord())).toEqual(expected);
  });

  test.each(ENGINE_IDS)('of the engine %s draws all values equally often', (engine) => {
    for (const bound of [2, 3, 7, 100]) {
      const stream = seededStream(`even ${bound}`, engine);
      const counts = new Array<number>(bound).fill(0);
      for (let draw = 0; draw < 20_000; draw += 1) counts[stream.uniform(bound)]! += 1;
      expect(evenChiSquareP(counts)).toBeGreaterThan(0.001);
    }
  });
});
