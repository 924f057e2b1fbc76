import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defined } from '../../core/assert.js';
import type { PayLine, RowsGame } from '../../definitions/game.js';
import { loadGame } from '../../definitions/load-game.js';
import { sampleRowsGame, type Edit } from '../../testing/sample-definitions.js';
import {
  compositionsIn,
  compositionsOf,
  hasRoom,
  roomAt,
  spareCellsOf,
  weightOf,
} from './rules-compositions.js';

const GRID = { rows: 3, columns: 5 };

function payTable(...amounts: readonly number[]): readonly PayLine[] {
  return amounts.map((prizeCents) => ({ symbol: 'A', count: 4, prizeCents }));
}

describe('the compositions of a prize', () => {
  test('are all sums of combinations, highest amounts first', () => {
    expect(compositionsOf(6, payTable(5, 3, 2, 1), 3)).toEqual([
      [0, 3],
      [1, 1],
      [1, 2, 3],
      [2, 2, 2],
    ]);
  });

  test('have no more rows than allowed', () => {
    expect(compositionsOf(6, payTable(5, 3, 2, 1), 2)).toEqual([
      [0, 3],
      [1, 1],
    ]);
    expect(compositionsOf(6, payTable(5, 3, 2, 1), 1)).toEqual([]);
  });

  test('tell combinations of the same amount apart', () => {
    expect(compositionsOf(4, payTable(2, 2), 2)).toEqual([
      [0, 0],
      [0, 1],
      [1, 1],
    ]);
  });

  test('of no prize are the empty one', () => {
    expect(compositionsOf(0, payTable(5, 3), 6)).toEqual([[]]);
  });

  test('are those that a plain enumeration finds', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 30 }), (unsorted, prizeCents) => {
        const sorted = unsorted.toSorted((a, b) => b - a);
        expect(compositionsOf(prizeCents, payTable(...sorted), 4)).toEqual(
          enumerate(sorted, 4).filter(
            (composition) =>
              composition.reduce((sum, index) => sum + sorted[index]!, 0) === prizeCents,
          ),
        );
      }),
    );
  });

  test('are given up where there are too many', () => {
    const lines = payTable(...Array.from({ length: 60 }, (_, index) => 160 - index));
    expect(compositionsOf(1000, lines, 8)).toBeUndefined();
  });

  test('that cannot reach their prize are given up early', () => {
    const lines = payTable(...Array.from({ length: 60 }, (_, index) => 60 - index));
    expect(compositionsOf(481, lines, 8)).toEqual([]);
    expect(compositionsOf(480, lines, 8)).toEqual([new Array(8).fill(0)]);
  });
});

/** All multisets of 1 to `most` indexes, in lexicographic order. */
function enumerate(amounts: readonly number[], most: number, first = 0): number[][] {
  if (most === 0) return [];
  return amounts.slice(first).flatMap((_, offset) => {
    const index = first + offset;
    return [[index], ...enumerate(amounts, most - 1, index).map((rest) => [index, ...rest])];
  });
}

describe("Eldorado's compositions", () => {
  const game = loadGame('eldorado') as RowsGame;

  test.each(game.stakes.map((stake) => [stake.stakeCents, stake] as const))(
    'are 44 at %i cents',
    (_, stake) => {
      const counts = stake.tiers.map(
        ({ prizeCents }) => compositionsIn({ game, stake, prizeCents })?.length,
      );
      expect(counts).toEqual([3, 2, 1, 8, 12, 9, 5, 2, 1, 1]);
    },
  );

  test('lack room at some numbers of stages', () => {
    const stake = defined(game.stakes[1], 'the stake of 1 euro');
    const allowedAt = game.policy.extraStages.map((law) => {
      const room = roomAt({ game, stake, law });
      expect(room.stages).toBe(law.stages);
      return stake.tiers.map(
        ({ prizeCents }) => compositionsIn({ game, stake, prizeCents })?.filter(room.holds).length,
      );
    });
    expect(allowedAt).toEqual([
      // Three rows hold three combinations at most.
      [2, 1, 1, 2, 1, 4, 3, 2, 1, 1],
      // Of 100 euros 5V + 5 times 5B is missing: six full rows leave no cell for EXTRA.
      [3, 2, 1, 7, 12, 9, 5, 2, 1, 1],
      [3, 2, 1, 8, 12, 9, 5, 2, 1, 1],
      [3, 2, 1, 8, 12, 9, 5, 2, 1, 1],
    ]);
  });
});

describe('weights', () => {
  test('go by the number of winning rows, and a losing ticket has one too', () => {
    const game = sampleRowsGame('rows-plain', ['/policy/composition_weights', [7, 0, 3]]);
    expect([[], [0], [0, 0], [0, 0, 0]].map((composition) => weightOf(game, composition))).toEqual([
      1, 7, 0, 3,
    ]);
  });

  test('of 0 keep compositions from occurring', () => {
    const edit: Edit = ['/policy/composition_weights', [1, 0]];
    const [all, some] = [sampleRowsGame('rows-plain'), sampleRowsGame('rows-plain', edit)].map(
      (game) => compositionsIn({ game, stake: game.stakes[0]!, prizeCents: 200 }),
    );
    expect(all).toEqual([[4], [5, 5]]);
    expect(some).toEqual([[4]]);
  });

  test('of 0 keep vectors from taking room', () => {
    const vectors = [
      { extra: [1, 0], weight: 1 },
      { extra: [0, 1], weight: 0 },
    ];
    const game = sampleRowsGame('eldorado-mini', ['/grid/rows', 1]);
    const stake = game.stakes[0]!;
    const holds = (law: typeof vectors): boolean =>
      roomAt({ game, stake, law: { stages: 1, weight: 1, vectors: law } }).holds([0]);
    const other = { extra: [5, 1], weight: 1 };
    expect(holds(vectors)).toBe(true);
    expect(holds([...vectors, other])).toBe(false);
    expect(holds([...vectors, { ...other, weight: 0 }])).toBe(true);
  });
});

test('a winning row leaves the cells free that its combination does not take', () => {
  const stake = loadGame('eldorado').stakes[0]!;
  expect(spareCellsOf([0, 1, 1, 2], stake, 5)).toEqual([0, 1, 1, 0]);
});

describe('room', () => {
  test.each([
    ['no winning row beside 15 EXTRA', [], [15], true],
    ['no winning row beside 16 EXTRA', [], [16], false],
    ['three full rows without a stage', [0, 0, 0], [0], true],
    ['four full rows without a stage', [0, 0, 0, 0], [0], false],
    ['six full rows and one stage', [0, 0, 0, 0, 0, 0], [1, 0], false],
    ['five full rows and one stage', [0, 0, 0, 0, 0], [1, 0], true],
    ['five full rows, one of four, and one stage', [0, 0, 0, 0, 0, 1], [1, 0], true],
    [
      'five full rows, one of four, and one stage with two EXTRA',
      [0, 0, 0, 0, 0, 1],
      [2, 0],
      false,
    ],
    ['nine full rows and two stages', new Array(9).fill(0), [1, 1, 0], false],
    ['eight rows of which two have room', [0, 0, 0, 0, 0, 0, 1, 1], [1, 1, 0], true],
  ])('is right for %s', (_, spareCells, extra, expected) => {
    expect(hasRoom(spareCells, extra, GRID)).toBe(expected);
  });

  test('is what trying every placement finds', () => {
    const spareCells = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 5 });
    const extra = fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(spareCells, extra, fc.constantFrom(1, 2), (rows, vector, rowCount) => {
        const grid = { rows: rowCount, columns: 4 };
        expect(hasRoom(rows, vector, grid)).toBe(someplaceFits(rows, vector, grid));
      }),
      { numRuns: 1000 },
    );
  });
});

/** Tries every row of every grid for every winning row. */
function someplaceFits(
  spareCells: readonly number[],
  extra: readonly number[],
  grid: typeof GRID,
): boolean {
  const cells = new Array<number>(grid.rows * extra.length).fill(grid.columns);
  const place = (next: number, taken: ReadonlySet<number>): boolean => {
    const spare = spareCells[next];
    if (spare === undefined) {
      return extra.every((need, index) => {
        const rows = cells.slice(index * grid.rows, (index + 1) * grid.rows);
        return rows.reduce((sum, free) => sum + free, 0) >= need;
      });
    }
    return cells.some((_, row) => {
      if (taken.has(row)) return false;
      cells[row] = spare;
      const fits = place(next + 1, new Set([...taken, row]));
      cells[row] = grid.columns;
      return fits;
    });
  };
  return place(0, new Set());
}
