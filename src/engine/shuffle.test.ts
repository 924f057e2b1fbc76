import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ENGINE_IDS } from '../core/algorithm.js';
import { evenChiSquareP } from '../testing/goodness-of-fit.js';
import { enumerateDraws, GivenWords, seededStream } from '../testing/random-streams.js';
import { RandomStream } from './random-stream.js';
import { shuffle } from './shuffle.js';

/** The items 0 to n - 1 in order. */
function sorted(length: number): number[] {
  return Array.from({ length }, (_, item) => item);
}

function shuffled(length: number, stream: RandomStream): readonly number[] {
  const items = sorted(length);
  shuffle(items, stream);
  return items;
}

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}

describe('over all ways in which its draws can come out', () => {
  test.each([1, 2, 3, 4, 5, 6])('a shuffle of %i gives every order exactly once', (length) => {
    const runs = [...enumerateDraws((stream) => shuffled(length, stream))];
    const orders = new Set(runs.map(({ result }) => result.join()));
    expect(runs).toHaveLength(factorial(length));
    expect(orders.size).toBe(factorial(length));
    for (const order of orders) expect(order.split(',').map(Number).sort()).toEqual(sorted(length));
    // All runs are equally likely.
    for (const { outOf } of runs) expect(outOf).toBe(BigInt(factorial(length)));
  });

  test('the draws go from the last position down, each among the positions up to its own', () => {
    for (const { bounds } of enumerateDraws((stream) => shuffled(4, stream))) {
      expect(bounds).toEqual([4, 3, 2]);
    }
  });
});

describe.each(ENGINE_IDS)('with the engine %s', (engine) => {
  test.each([3, 4, 5, 6])('all orders of %i items are equally frequent in one stream', (length) => {
    const counts = countOrders(length, 20 * factorial(length), (stream) => stream);
    expect(evenChiSquareP(counts)).toBeGreaterThan(0.001);
  });

  test.each([3, 4])('all orders of %i items are equally frequent over many streams', (length) => {
    const counts = countOrders(length, 80 * factorial(length), (_, run) =>
      seededStream(`shuffle ${run}`, engine),
    );
    expect(evenChiSquareP(counts)).toBeGreaterThan(0.001);
  });

  test('every item of a long shuffle is equally frequent at every place', () => {
    const stream = seededStream('places', engine);
    const length = 40;
    const counts = new Array<number>(length * length).fill(0);
    for (let run = 0; run < 2000; run += 1) {
      shuffled(length, stream).forEach((item, place) => {
        counts[item * length + place]! += 1;
      });
    }
    for (const item of sorted(length)) {
      const places = counts.slice(item * length, (item + 1) * length);
      expect(evenChiSquareP(places)).toBeGreaterThan(0.001 / length);
    }
  });

  /** How often each order of some items comes out. */
  function countOrders(
    length: number,
    runs: number,
    streamOf: (common: RandomStream, run: number) => RandomStream,
  ): readonly number[] {
    const common = seededStream('shuffles', engine);
    const counts = new Map<string, number>();
    for (let run = 0; run < runs; run += 1) {
      const order = shuffled(length, streamOf(common, run)).join();
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(factorial(length));
    return [...counts.values()];
  }
});

describe('what is given', () => {
  test('to a shuffle of one item or none takes no word', () => {
    const stream = new RandomStream(new GivenWords([]));
    expect(shuffled(0, stream)).toEqual([]);
    expect(shuffled(1, stream)).toEqual([0]);
  });

  test('as a typed array is shuffled like a list', () => {
    const items = Uint16Array.from(sorted(300));
    shuffle(items, seededStream('typed'));
    expect([...items]).toEqual(shuffled(300, seededStream('typed')));
  });

  test('in slices from the end down comes out as in one go', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 25 }),
        fc.string(),
        (length, slice, seed) => {
          const items = sorted(length);
          const stream = seededStream(seed);
          for (let from = length - 1; from > 0; from -= slice) {
            shuffle(items, stream, from, Math.max(0, from - slice));
          }
          expect(items).toEqual(shuffled(length, seededStream(seed)));
        },
      ),
      { seed: 3 },
    );
  });

  test('as a slice moves nothing behind where it starts', () => {
    const items = sorted(20);
    shuffle(items, seededStream('slice'), 9, 4);
    expect(items.slice(10)).toEqual(sorted(20).slice(10));
    expect(items.slice(0, 10).toSorted((a, b) => a - b)).toEqual(sorted(10));
  });
});
