import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { binomial } from '../core/binomial.js';
import { choose, Subsets, SubsetTables } from './subsets.js';

/** Tables, and above them those that are worked out one by one: more than 2^20 numbers. */
const SMALL = [
  [0, 0],
  [1, 0],
  [1, 1],
  [5, 2],
  [6, 3],
  [15, 1],
  [15, 3],
  [18, 18],
] as const;
const LARGEST_TABLE = [18, 9] as const;
const WORKED_OUT = [
  [22, 6],
  [26, 5],
] as const;

interface Split {
  readonly taken: readonly number[];
  readonly left: readonly number[];
}

function at(subsets: Subsets, rank: number): Split {
  const start = subsets.locate(rank);
  const run = [...subsets.order.subarray(start, start + subsets.cells)];
  return { taken: run.slice(0, subsets.taken), left: run.slice(subsets.taken) };
}

/** Whether a rank's run is these cells and then all others, ascending; fast, for many subsets. */
function isAt(subsets: Subsets, rank: number, taken: readonly number[]): boolean {
  const { order, cells } = subsets;
  const start = subsets.locate(rank);
  let takenBefore = 0;
  for (let cell = 0; cell < cells; cell += 1) {
    const isTaken = taken[takenBefore] === cell;
    const place = isTaken ? takenBefore : taken.length + cell - takenBefore;
    if (order[start + place] !== cell) return false;
    if (isTaken) takenBefore += 1;
  }
  return takenBefore === taken.length;
}

/** All subsets in lexicographic order, by recursion on the first cell taken. */
function* allSubsets(cells: number, taken: number, first = 0): Generator<readonly number[]> {
  if (taken === 0) yield [];
  for (let cell = first; taken > 0 && cell <= cells - taken; cell += 1) {
    for (const rest of allSubsets(cells, taken - 1, cell + 1)) yield [cell, ...rest];
  }
}

/** The rank of a subset in lexicographic order, counted with exact binomials. */
function rankOf(taken: readonly number[], cells: number): bigint {
  let rank = 0n;
  let next = 0;
  taken.forEach((cell, index) => {
    for (; next < cell; next += 1) rank += binomial(cells - next - 1, taken.length - index - 1);
    next = cell + 1;
  });
  return rank;
}

describe.each([...SMALL, LARGEST_TABLE, ...WORKED_OUT])('of %i cells, %i taken', (cells, taken) => {
  test('all subsets come once each, in lexicographic order, with the cells that they leave', () => {
    const subsets = new Subsets(cells, taken);
    const wrongRanks: number[] = [];
    let rank = 0;
    for (const expected of allSubsets(cells, taken)) {
      if (!isAt(subsets, rank, expected)) wrongRanks.push(rank);
      rank += 1;
    }
    expect(wrongRanks).toEqual([]);
    expect(rank).toBe(subsets.count);
    expect(BigInt(rank)).toBe(binomial(cells, taken));
  });
});

test.each([
  [32, 16],
  [34, 17],
  [64, 6],
])('of %i cells, %i taken, any rank gives the subset of this rank', (cells, taken) => {
  const subsets = new Subsets(cells, taken);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: subsets.count - 1 }), (rank) => {
      const { taken: cellsTaken, left } = at(subsets, rank);
      expect(rankOf(cellsTaken, cells)).toBe(BigInt(rank));
      expect([...cellsTaken, ...left].toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: cells }, (_, cell) => cell),
      );
      expect(left).toEqual(left.toSorted((a, b) => a - b));
    }),
    { seed: 7, numRuns: 100, examples: [[0], [subsets.count - 1]] },
  );
});

test('a table and what is worked out one by one are two ways to hold the subsets', () => {
  expect(new Subsets(...LARGEST_TABLE).order.length).toBe(48_620 * 18);
  for (const [cells, taken] of WORKED_OUT)
    expect(new Subsets(cells, taken).order).toHaveLength(cells);
});

describe('the number of subsets', () => {
  test('is the binomial of every number of cells up to 64, wherever it is below 2^53', () => {
    let compared = 0;
    for (let cells = 64; cells >= 0; cells -= 1) {
      for (let taken = 0; taken <= cells; taken += 1) {
        const expected = binomial(cells, taken);
        if (expected >= 2n ** 53n) continue;
        compared += 1;
        expect(BigInt(choose(cells, taken))).toBe(expected);
      }
    }
    expect(compared).toBeGreaterThan(1800);
  });

  test.each([
    [15, 3, 455],
    [18, 9, 48_620],
    [18, 10, 43_758],
    [32, 16, 601_080_390],
  ])('of %i cells, %i taken, is %i', (cells, taken, count) => {
    expect(choose(cells, taken)).toBe(count);
  });

  test.each([
    [5, -1],
    [5, 6],
    [0, 1],
  ])('of %i cells, %i taken, is 0', (cells, taken) => {
    expect(choose(cells, taken)).toBe(0);
  });
});

describe('the tables', () => {
  test('are made once each', () => {
    const tables = new SubsetTables();
    expect(tables.get(18, 4)).toBe(tables.get(18, 4));
  });

  test('are told apart by their cells and by what is taken', () => {
    const tables = new SubsetTables();
    for (let cells = 0; cells <= 12; cells += 1) {
      for (let taken = 0; taken <= cells; taken += 1) {
        expect(tables.get(cells, taken)).toMatchObject({
          cells,
          taken,
          count: choose(cells, taken),
        });
      }
    }
  });
});
