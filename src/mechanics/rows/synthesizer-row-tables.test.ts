import { describe, expect, test } from '@jest/globals';
import { loadGame } from '../../definitions/load-game.js';
import type { RowsGame, Stake } from '../../definitions/game.js';
import { sampleRowsGame } from '../../testing/sample-definitions.js';
import { readRows } from '../../testing/row-reading.js';
import { makeRowTables } from './synthesizer-row-tables.js';

const ELDORADO = loadGame('eldorado') as RowsGame;

function tablesOf(game: RowsGame, stake: Stake) {
  const read = (tables: readonly Float64Array[]): readonly (readonly string[])[] =>
    tables.map((rows) => readRows(rows, rows.length));
  const { losing, winning } = makeRowTables(game, stake);
  return { losing: read(losing), winning: winning.map(read) };
}

function countOf(row: string, letter: string): number {
  return row.split(letter).length - 1;
}

describe.each(ELDORADO.stakes.map((stake) => ({ stake, stakeCents: stake.stakeCents })))(
  "Eldorado's rows at $stakeCents cents",
  ({ stake }) => {
    const { losing, winning } = tablesOf(ELDORADO, stake);

    test('lose in 3,020 ways of 3,125 without EXTRA, and in 3,100 with one', () => {
      expect(losing.map((rows) => rows.length)).toEqual([3020, 3100, 1250, 250, 25, 1]);
    });

    test('win with 4 identical in 20 ways without EXTRA and 5 with one, with 5 in one way', () => {
      expect(winning).toHaveLength(10);
      stake.payTable.forEach(({ count }, line) => {
        const sizes = winning[line]!.map((rows) => rows.length);
        expect(sizes).toEqual(count === 4 ? [20, 5, 0, 0, 0, 0] : [1, 0, 0, 0, 0, 0]);
      });
    });

    test('stand in one table each, all 7,776', () => {
      const all = [...losing, ...winning.flat()].flat();
      expect(all).toHaveLength(6 ** 5);
      expect(new Set(all).size).toBe(6 ** 5);
      expect(all.every((row) => /^[PSVBDE]{5}$/.test(row))).toBe(true);
    });

    test('stand in the table of what they win and of their EXTRA symbols', () => {
      const winsOf = (row: string): readonly string[] =>
        stake.payTable
          .filter(({ symbol, count }) => countOf(row, symbol!) === count)
          .map(({ symbol, count }) => `${count}${symbol!}`);
      losing.forEach((rows, extraCount) => {
        const wrong = rows.filter(
          (row) => winsOf(row).length > 0 || countOf(row, 'E') !== extraCount,
        );
        expect(wrong).toEqual([]);
      });
      winning.forEach((tables, line) => {
        const { symbol, count } = stake.payTable[line]!;
        tables.forEach((rows, extraCount) => {
          for (const row of rows) {
            expect(winsOf(row)).toEqual([`${count}${symbol!}`]);
            expect(countOf(row, 'E')).toBe(extraCount);
          }
        });
      });
    });

    test("stand in lexicographic order, letters in the definition's", () => {
      const rank = (row: string): string =>
        Array.from(row, (letter) => 'PSVBDE'.indexOf(letter)).join('');
      for (const rows of [...losing, ...winning.flat()]) {
        const ranks = rows.map(rank);
        expect(ranks).toEqual(ranks.toSorted());
      }
      expect(losing[0]!.slice(0, 2)).toEqual(['PPPSS', 'PPPSV']);
      const fourVases = stake.payTable.findIndex(
        ({ symbol, count }) => symbol === 'V' && count === 4,
      );
      expect(winning[fourVases]![1]).toEqual(['VVVVE', 'VVVEV', 'VVEVV', 'VEVVV', 'EVVVV']);
    });
  },
);

test('a game without EXTRA has rows without EXTRA only', () => {
  const game = sampleRowsGame('rows-plain');
  const { losing, winning } = tablesOf(game, game.stakes[0]!);
  // Of 81 rows, 3 have 4 identical and 24 have 3.
  expect(losing.map((rows) => rows.length)).toEqual([54, 0, 0, 0, 0]);
  expect(winning.map((tables) => tables.map((rows) => rows.length))).toEqual([
    [1, 0, 0, 0, 0],
    [8, 0, 0, 0, 0],
    [1, 0, 0, 0, 0],
    [8, 0, 0, 0, 0],
    [1, 0, 0, 0, 0],
    [8, 0, 0, 0, 0],
  ]);
});

test('a row wins by its exact count, also where a smaller count pays more', () => {
  const game = sampleRowsGame('rows-plain');
  const stake: Stake = {
    stakeCents: 100,
    tiers: [],
    payTable: [
      { symbol: 'A', count: 3, prizeCents: 900 },
      { symbol: 'A', count: 4, prizeCents: 100 },
    ],
  };
  const { winning } = tablesOf(game, stake);
  expect(winning[1]![0]).toEqual(['AAAA']);
  expect(winning[0]![0]).toHaveLength(8);
  expect(winning[0]![0]).not.toContain('AAAA');
});
