import { describe, expect, test } from '@jest/globals';
import { InvariantError } from '../../core/assert.js';
import { loadGame } from '../../definitions/load-game.js';
import { planOutcomes } from '../../definitions/mechanics.js';
import type { RowsGame } from '../../definitions/game.js';
import { LOSING_ROW, Placements, type PlacementInput } from './synthesizer-placements.js';

const ELDORADO = loadGame('eldorado') as RowsGame;
const STAKE = ELDORADO.stakes[1]!;

/** Listing all placements of a composition by brute force is only done up to this many. */
const MOST_BY_BRUTE_FORCE = 700;

/** A composition and a vector of EXTRA symbols, as Eldorado's outcomes have them. */
const INPUTS: readonly PlacementInput[] = planOutcomes(ELDORADO, STAKE).outcomes.flatMap(
  ({ composition, feature }) =>
    ELDORADO.policy.extraStages
      .find(({ stages }) => stages === feature)!
      .vectors.map(({ extra }) => ({ stake: STAKE, grid: ELDORADO.grid, composition, extra })),
);

/** Every order of the winning rows and losing ones, losing ones first, then without those too full. */
function listPlacements(input: PlacementInput): readonly (readonly number[])[] {
  const rowCount = input.grid.rows * input.extra.length;
  const extend = (rows: readonly number[], left: readonly number[]): (readonly number[])[] => {
    if (rows.length === rowCount) return left.length === 0 ? [rows] : [];
    if (left.length > rowCount - rows.length) return [];
    return [LOSING_ROW, ...new Set(left)].flatMap((line) => {
      const place = left.indexOf(line);
      return extend([...rows, line], place < 0 ? left : left.toSpliced(place, 1));
    });
  };
  return extend([], input.composition).filter((rows) => hasRoom(rows, input));
}

function hasRoom(rows: readonly number[], { stake, grid, extra }: PlacementInput): boolean {
  return extra.every((need, index) => {
    const lines = rows.slice(index * grid.rows, (index + 1) * grid.rows);
    const room = lines.reduce(
      (sum, line) => sum + grid.columns - (line < 0 ? 0 : stake.payTable[line]!.count),
      0,
    );
    return room >= need;
  });
}

/**
 * The number of placements in another way: for each way to deal the copies of each line out to the
 * grids, the orders of each grid's rows.
 */
function countPlacements({ stake, grid, composition, extra }: PlacementInput): number {
  const lines = [...new Set(composition)];
  const deal = (gridIndex: number, copies: readonly number[]): number => {
    if (gridIndex === extra.length) return copies.every((left) => left === 0) ? 1 : 0;
    let ways = 0;
    for (const taken of takes(copies, grid.rows)) {
      const winning = taken.reduce((sum, count) => sum + count, 0);
      const used = taken.reduce(
        (sum, count, index) => sum + count * stake.payTable[lines[index]!]!.count,
        0,
      );
      if (grid.rows * grid.columns - used < extra[gridIndex]!) continue;
      const orders = taken.reduce(
        (quotient, count) => quotient / factorial(count),
        factorial(grid.rows) / factorial(grid.rows - winning),
      );
      const rest = copies.map((left, index) => left - taken[index]!);
      ways += orders * deal(gridIndex + 1, rest);
    }
    return ways;
  };
  return deal(
    0,
    lines.map((line) => composition.filter((item) => item === line).length),
  );
}

/** Every choice of at most so many of each line, and of at most `most` in all. */
function takes(copies: readonly number[], most: number): readonly (readonly number[])[] {
  const [first, ...others] = copies;
  if (first === undefined) return [[]];
  return Array.from({ length: Math.min(first, most) + 1 }, (_, taken) =>
    takes(others, most - taken).map((rest) => [taken, ...rest]),
  ).flat();
}

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}

/** Losing rows are -1 and so come first, as in the order of ranks. */
function compareRows(a: Int8Array, b: Int8Array): number {
  const index = a.findIndex((line, row) => line !== b[row]);
  return index < 0 ? 0 : a[index]! - b[index]!;
}

describe("the placements of Eldorado's outcomes", () => {
  const counts = new Map(INPUTS.map((input) => [input, countPlacements(input)]));
  const countOf = (input: PlacementInput): number => counts.get(input) ?? 0;
  const few = INPUTS.filter((input) => countOf(input) <= MOST_BY_BRUTE_FORCE);
  const many = INPUTS.filter((input) => countOf(input) > MOST_BY_BRUTE_FORCE);

  test('are as many as another way of counting finds', () => {
    expect(INPUTS).toHaveLength(378);
    const wrong = INPUTS.filter((input) => new Placements(input).count !== countOf(input));
    expect(wrong).toEqual([]);
  });

  test('are those that brute force finds, in its order, where they are few', () => {
    expect(few.length).toBeGreaterThan(200);
    for (const input of few) {
      const placements = new Placements(input);
      const listed = Array.from({ length: placements.count }, (_, rank) =>
        placements.at(rank).join(),
      );
      expect(listed).toEqual(listPlacements(input).map((rows) => rows.join()));
    }
  });

  test('have the right rows and room, and ascend, where they are many', () => {
    expect(many.length).toBeGreaterThan(100);
    for (const input of many) {
      const placements = new Placements(input);
      const last = placements.count - 1;
      for (const part of [0, 0.2, 0.5, 0.77, 1]) {
        const rank = Math.min(Math.floor(part * last), last - 1);
        const rows = placements.at(rank);
        const next = placements.at(rank + 1);
        const winning = [...next].filter((line) => line !== LOSING_ROW);
        expect(winning.toSorted((a, b) => a - b)).toEqual(input.composition);
        expect(hasRoom([...next], input)).toBe(true);
        expect(compareRows(rows, next)).toBeLessThan(0);
      }
    }
  });

  test('of one composition of some thousands ascend from first to last', () => {
    const input = many.find((candidate) => countOf(candidate) > 4000)!;
    const placements = new Placements(input);
    let descents = 0;
    for (let rank = 1; rank < placements.count; rank += 1) {
      if (compareRows(placements.at(rank - 1), placements.at(rank)) >= 0) descents += 1;
    }
    expect(descents).toBe(0);
  });
});

describe('a placement', () => {
  const input = { stake: STAKE, grid: ELDORADO.grid, composition: [], extra: [0] };

  test('of a losing ticket is one: all rows lose', () => {
    const placements = new Placements({ ...input, extra: [2, 1, 0, 0] });
    expect(placements.count).toBe(1);
    expect([...placements.at(0)]).toEqual(new Array(12).fill(LOSING_ROW));
  });

  test('leaves no grid that needs EXTRA without a free cell', () => {
    // Three rows of 5 identical fill a grid, so they fit in the stage but not in the main grid.
    const threeFull = [0, 0, 0];
    expect(new Placements({ ...input, composition: threeFull, extra: [0] }).count).toBe(1);
    const placements = new Placements({ ...input, composition: threeFull, extra: [1, 0] });
    // 20 ways to choose 3 rows of 6, without that of the whole main grid.
    expect(placements.count).toBe(19);
    for (let rank = 0; rank < 19; rank += 1) {
      expect([...placements.at(rank).slice(0, 3)]).toContain(LOSING_ROW);
    }
  });

  test('counts the spare cells of winning rows as room', () => {
    // The main grid needs 3 EXTRA: three rows of 4 have just these cells, two of 5 and one of 4 not.
    const extra = [3, 0, 0, 0];
    const four = STAKE.payTable.findIndex(({ count }) => count === 4);
    const main = (composition: readonly number[]): number => {
      const placements = new Placements({ ...input, composition, extra });
      const all = Array.from({ length: placements.count }, (_, rank) => placements.at(rank));
      return all.filter((rows) => !rows.slice(0, 3).includes(LOSING_ROW)).length;
    };
    expect(main([four, four, four])).toBe(1);
    expect(main([0, 0, four])).toBe(0);
  });

  test.each([
    ['more winning rows than rows', [0, 0, 0, 0], [0]],
    ['no cell for EXTRA', [0, 0, 0, 0, 0, 0], [1, 0]],
  ])('that cannot be, with %s, is refused', (_, composition, extra) => {
    expect(() => new Placements({ ...input, composition, extra })).toThrow(InvariantError);
  });

  test('of a rich composition is worked out from its rank alone', () => {
    const rich = { ...input, composition: [1, 3, 5, 7, 9], extra: [1, 1, 1, 0] };
    const placements = new Placements(rich);
    const ranks = [0, 1, 50_000, placements.count - 1];
    const forwards = ranks.map((rank) => placements.at(rank).join());
    const other = new Placements(rich);
    const backwards = ranks.toReversed().map((rank) => other.at(rank).join());
    expect(backwards.toReversed()).toEqual(forwards);
    expect(forwards[0]).toBe('-1,-1,-1,-1,-1,-1,-1,1,3,5,7,9');
    expect(forwards.at(-1)).toBe('9,7,5,3,1,-1,-1,-1,-1,-1,-1,-1');
  });
});
