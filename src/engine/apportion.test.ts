import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvariantError } from '../core/assert.js';
import { enumerateDraws, GivenWords, seededStream } from '../testing/random-streams.js';
import { RandomStream } from './random-stream.js';
import { apportion } from './apportion.js';

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, item) => sum + item, 0);
}

interface Split {
  readonly count: number;
  readonly weights: readonly number[];
}

/**
 * The items whose part is neither the floor nor the ceiling of their expectation, in exact integers.
 * (So many parts are looked at that one `expect` for each would take long.)
 */
function wrongParts(parts: readonly number[], { count, weights }: Split): readonly number[] {
  const total = BigInt(sumOf(weights));
  return weights.flatMap((weight, item) => {
    const product = BigInt(count) * BigInt(weight);
    const floor = product / total;
    const ceiling = floor * total === product ? floor : floor + 1n;
    const part = BigInt(parts[item]!);
    return part === floor || part === ceiling ? [] : [item];
  });
}

describe.each([
  { count: 1, weights: [850, 120, 25, 5] },
  { count: 1, weights: [32, 16, 8, 4, 2] },
  { count: 5, weights: [10, 25, 35, 30] },
  { count: 7, weights: [1, 1, 1] },
  { count: 7, weights: [1, 2, 3, 4, 5] },
  { count: 10, weights: [3, 0, 4, 0] },
  { count: 12, weights: [1, 2, 3] },
  { count: 1000, weights: [1, 1, 1, 1, 3] },
  { count: 0, weights: [1, 2, 3] },
  { count: 3, weights: [5] },
])('over all orders and offsets, $count split by $weights', ({ count, weights }) => {
  const runs = [...enumerateDraws((stream) => apportion(count, weights, stream))];

  test('all runs are equally likely, one for each order and offset', () => {
    const factorial = weights.reduce((product, _, index) => product * (index + 1), 1);
    const expected = factorial * sumOf(weights);
    expect(runs).toHaveLength(expected);
    expect(new Set(runs.map(({ outOf }) => outOf))).toEqual(new Set([BigInt(expected)]));
  });

  test('the parts always add up, and each is the floor or the ceiling of its expectation', () => {
    const wrong = runs.filter(
      ({ result }) =>
        result.length !== weights.length ||
        sumOf(result) !== count ||
        wrongParts(result, { count, weights }).length > 0,
    );
    expect(wrong).toEqual([]);
  });

  test('the mean of each part is its expectation exactly', () => {
    weights.forEach((weight, item) => {
      const partsInAll = runs.reduce((sum, { result }) => sum + BigInt(result[item]!), 0n);
      // partsInAll / runs = count * weight / total
      expect(partsInAll * BigInt(sumOf(weights))).toBe(
        BigInt(count) * BigInt(weight) * BigInt(runs.length),
      );
    });
  });
});

describe('a split', () => {
  const anySplit = fc
    .record({
      count: fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 100_000_000 })),
      weights: fc.array(fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 1_000_000 })), {
        minLength: 1,
        maxLength: 12,
      }),
    })
    .filter(
      ({ count, weights }) =>
        sumOf(weights) > 0 && Number.isSafeInteger(sumOf(weights) * (count + 1)),
    );

  test('adds up, and each part is the floor or the ceiling of its expectation', () => {
    fc.assert(
      fc.property(anySplit, fc.string(), ({ count, weights }, seed) => {
        const parts = apportion(count, weights, seededStream(seed));
        expect(parts).toHaveLength(weights.length);
        expect(sumOf(parts)).toBe(count);
        expect(wrongParts(parts, { count, weights })).toEqual([]);
      }),
      { seed: 5, numRuns: 500 },
    );
  });

  test('gives nothing to an item of weight 0, and all to the only one of another weight', () => {
    for (let run = 0; run < 50; run += 1) {
      const stream = seededStream(`zero ${run}`);
      expect(apportion(1001, [0, 3, 0, 0], stream)).toEqual([0, 1001, 0, 0]);
      expect(apportion(1001, [0, 3, 0, 4], stream).filter((_, item) => item % 2 === 0)).toEqual([
        0, 0,
      ]);
    }
  });

  test('of nothing gives nothing', () => {
    expect(apportion(0, [1, 2, 0], seededStream('nothing'))).toEqual([0, 0, 0]);
  });

  test('whose expectations are whole numbers is always these', () => {
    for (let run = 0; run < 50; run += 1) {
      const parts = apportion(98_000, [850, 120, 25, 5], seededStream(`whole ${run}`));
      expect(parts).toEqual([83_300, 11_760, 2450, 490]);
    }
  });

  test('of one item takes no word where its weight is 1', () => {
    expect(apportion(9, [1], new RandomStream(new GivenWords([])))).toEqual([9]);
  });

  test('draws its order before its offset', () => {
    // The words say: position 2 changes with 1, position 1 with 0, and the offset is 5 out of 6.
    // So items 2, 0, 1 lie from 5 to 11, to 13 and to 17, and the marks are at 6 and 12.
    const places = [1 / 3, 0, 5 / 6].map((place) => Math.ceil(place * 2 ** 32) + 1);
    const parts = apportion(2, [1, 2, 3], new RandomStream(new GivenWords(places)));
    expect(parts).toEqual([1, 0, 1]);
  });

  test.each([
    ['no weight', 5, [0, 0]],
    ['no item', 5, []],
    ['more than doubles can count', 2 ** 33, [2 ** 20]],
  ])('with %s cannot be made', (_, count, weights) => {
    expect(() => apportion(count, weights, seededStream('refused'))).toThrow(InvariantError);
  });
});
