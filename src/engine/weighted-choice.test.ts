import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvariantError } from '../core/assert.js';
import { GivenWords, seededStream } from '../testing/random-streams.js';
import { chiSquareP } from '../testing/goodness-of-fit.js';
import { RandomStream } from './random-stream.js';
import { WeightedChoice } from './weighted-choice.js';

const HUGE = 10n ** 30n;

/** Weights of each kind: their sum divides 2^32 or does not, is small, or is above 2^64. */
const WEIGHT_LISTS: readonly (readonly bigint[])[] = [
  [1n, 1n],
  [1n, 2n],
  [1n, 1n, 1n],
  [1n, 2n, 1n, 4n],
  [32n, 16n, 8n, 4n, 2n, 1n],
  [850n, 120n, 25n, 5n],
  [0n, 3n, 0n, 0n, 4n, 0n],
  [5n, 0n, 0n, 2n],
  // Items thinner than one word's interval, alone and side by side.
  [1n << 40n, 1n, 1n << 40n],
  [3n << 50n, 1n, 2n, 3n, 5n << 50n, 1n],
  [1n, 1n << 70n],
  // A border that exactly two words tell.
  [1n, (1n << 40n) - 1n],
  [HUGE, 1n, 3n * HUGE, 7n],
  [1n << 200n, 3n, 1n << 199n],
];

interface Picked {
  readonly item: number;
  readonly words: number;
}

function pickWith(choice: WeightedChoice, words: readonly number[]): Picked {
  const source = new GivenWords(words);
  const item = choice.pick(new RandomStream(source));
  return { item, words: source.taken };
}

/**
 * The same by definition: the words are the digits of a point between 0 and 1; the first word after
 * which all points with these digits lie in one item decides.
 */
function expectedWith(weights: readonly bigint[], words: readonly number[]): Picked | undefined {
  const total = sumOf(weights);
  let digits = 0n;
  for (const [index, word] of words.entries()) {
    digits = digits * 2n ** 32n + BigInt(word);
    const scale = 2n ** (32n * BigInt(index + 1));
    const item = weights.findIndex((weight, position) => {
      const start = sumOf(weights.slice(0, position)) * scale;
      const end = start + weight * scale;
      return weight > 0n && start <= digits * total && (digits + 1n) * total <= end;
    });
    if (item >= 0) return { item, words: index + 1 };
  }
  return undefined;
}

function sumOf(weights: readonly bigint[]): bigint {
  return weights.reduce((sum, weight) => sum + weight, 0n);
}

/** A number of `count` words as its words, the highest first. */
function toWords(digits: bigint, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) =>
    Number((digits >> (32n * BigInt(count - 1 - index))) & 0xffff_ffffn),
  );
}

/** Where one item of positive weight ends and the next begins, in `count` words rounded down. */
function borders(
  weights: readonly bigint[],
  count: number,
): { readonly before: number; readonly after: number; readonly digits: bigint }[] {
  const positive = weights.flatMap((weight, item) => (weight > 0n ? [item] : []));
  return positive.slice(1).map((after, index) => ({
    before: positive[index]!,
    after,
    digits: (sumOf(weights.slice(0, after)) << (32n * BigInt(count))) / sumOf(weights),
  }));
}

describe.each(WEIGHT_LISTS.map((weights) => ({ weights, name: weights.join(', ') })))(
  'a choice weighted $name',
  ({ weights }) => {
    const choice = new WeightedChoice(weights);
    const total = sumOf(weights);

    test('decides like exact integers at every border of two items', () => {
      for (const { digits } of borders(weights, 1)) {
        for (let step = -2n; step <= 2n; step += 1n) {
          const [word] = toWords(digits + step, 1);
          for (const second of [0, 1, 2 ** 31, 2 ** 32 - 1]) {
            const words = [word!, second, second, 5, 5, 5, 5];
            expect(pickWith(choice, words)).toEqual(expectedWith(weights, words));
          }
        }
      }
    });

    test('decides like exact integers at every border told by two words', () => {
      for (const { digits } of borders(weights, 2)) {
        for (let step = -2n; step <= 2n; step += 1n) {
          const words = [...toWords(digits + step, 2), 1, 5, 5, 5, 5];
          expect(pickWith(choice, words)).toEqual(expectedWith(weights, words));
        }
      }
    });

    test('gives every item the share of its weight, told to 224 binary digits', () => {
      // The choice follows the words' order, so its items are the runs between the borders.
      for (const { before, after, digits } of borders(weights, 7)) {
        expect(pickWith(choice, toWords(digits - 1n, 7)).item).toBe(before);
        expect(pickWith(choice, toWords(digits + 1n, 7)).item).toBe(after);
      }
      const first = weights.findIndex((weight) => weight > 0n);
      const last = weights.findLastIndex((weight) => weight > 0n);
      expect(pickWith(choice, toWords(0n, 7)).item).toBe(first);
      expect(pickWith(choice, toWords(2n ** 224n - 1n, 7)).item).toBe(last);
    });

    test('decides with one word wherever all points of the word lie in one item', () => {
      for (const [item, weight] of weights.entries()) {
        const start = sumOf(weights.slice(0, item)) << 32n;
        const low = (start + total - 1n) / total;
        const high = (start + (weight << 32n)) / total;
        if (weight === 0n || high <= low) continue;
        for (const word of [low, high - 1n]) {
          expect(pickWith(choice, toWords(word, 1))).toEqual({ item, words: 1 });
        }
      }
    });

    test('never gives an item of weight 0', () => {
      const stream = seededStream('zero weights');
      for (let draw = 0; draw < 500; draw += 1) {
        expect(weights[choice.pick(stream)]).toBeGreaterThan(0n);
      }
    });
  },
);

describe('the share of an item', () => {
  test('is counted exactly where the weights divide the words', () => {
    // 1, 2, 1 and 4 of 8: every item is a whole number of words, and no word straddles.
    const choice = new WeightedChoice([1n, 2n, 1n, 4n]);
    const eighth = 2 ** 29;
    const items = Array.from({ length: 8 }, (_, part) => [
      pickWith(choice, [part * eighth]).item,
      pickWith(choice, [(part + 1) * eighth - 1]).item,
    ]);
    expect(items.flat()).toEqual([0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3]);
  });

  test('is shared out by second words where it is thinner than the interval of one', () => {
    // The middle item lies within the word 2^31 - 1 or so: no first word alone can choose it.
    const weights = [1n << 40n, 1n, 1n << 40n];
    const choice = new WeightedChoice(weights);
    const border = 2n ** 64n * weights[0]!;
    const from = border / sumOf(weights) + 1n;
    const upTo = (border + 2n ** 64n) / sumOf(weights) - 1n;
    expect(upTo).toBeGreaterThan(from);
    for (const digits of [from, (from + upTo) / 2n, upTo]) {
      expect(pickWith(choice, toWords(digits, 2))).toEqual({ item: 1, words: 2 });
    }
  });

  test('is its weight in exact integers, for weights and words of any size', () => {
    const weight = fc.oneof(
      fc.bigInt({ min: 0n, max: 10n }),
      fc.bigInt({ min: 0n, max: 2n ** 33n }),
      fc.bigInt({ min: 0n, max: 2n ** 100n }),
    );
    const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    fc.assert(
      fc.property(
        fc
          .array(weight, { minLength: 2, maxLength: 8 })
          .filter((weights) => weights.filter((item) => item > 0n).length > 1),
        fc.array(word, { minLength: 8, maxLength: 8 }),
        fc.boolean(),
        fc.nat(),
        (weights, words, isAtBorder, border) => {
          const found = borders(weights, 1);
          const atBorder = toWords(found[border % found.length]!.digits, 1);
          const drawn = isAtBorder ? [...atBorder, ...words.slice(1)] : words;
          const expected = expectedWith(weights, drawn);
          expect(expected).toBeDefined();
          expect(pickWith(new WeightedChoice(weights), drawn)).toEqual(expected);
        },
      ),
      { seed: 4, numRuns: 500 },
    );
  });

  test('shows in the frequencies of a real engine', () => {
    const weights = [850, 120, 25, 5];
    const choice = new WeightedChoice(weights.map(BigInt));
    const stream = seededStream('frequencies', 'chacha20');
    const counts = weights.map(() => 0);
    for (let draw = 0; draw < 100_000; draw += 1) counts[choice.pick(stream)]! += 1;
    expect(chiSquareP(counts, weights)).toBeGreaterThan(0.001);
  });
});

describe('a choice', () => {
  test.each([[[7n]], [[0n, 7n, 0n]], [[0n, 0n, HUGE]]])(
    'among one item of positive weight (%j) takes no word',
    (weights: readonly bigint[]) => {
      const item = weights.findIndex((weight) => weight > 0n);
      expect(pickWith(new WeightedChoice(weights), [])).toEqual({ item, words: 0 });
    },
  );

  test.each([[[]], [[0n]], [[0n, 0n, 0n]]])(
    'among no item of positive weight (%j) cannot be made',
    (weights: readonly bigint[]) => {
      expect(() => new WeightedChoice(weights)).toThrow(InvariantError);
    },
  );

  test('gives up on a source that never leaves the border of two items', () => {
    // A third is 0.010101… in binary: the word 0x55555555 for ever is exactly the border.
    const choice = new WeightedChoice([1n, 2n]);
    const source = new GivenWords(new Array<number>(100).fill(0x5555_5555));
    expect(() => choice.pick(new RandomStream(source))).toThrow(InvariantError);
    expect(source.taken).toBe(8);
  });

  test('is still decided by the eighth word', () => {
    const choice = new WeightedChoice([1n, 2n]);
    const words = new Array<number>(7).fill(0x5555_5555);
    expect(pickWith(choice, [...words, 0x5555_5554])).toEqual({ item: 0, words: 8 });
    expect(pickWith(choice, [...words, 0x5555_5556])).toEqual({ item: 1, words: 8 });
  });
});
