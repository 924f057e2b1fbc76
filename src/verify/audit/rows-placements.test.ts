import { describe, expect, test } from '@jest/globals';
import { defined } from '../../core/assert.js';
import { loadGame } from '../../definitions/load-game.js';
import type { RowsGame } from '../../definitions/game.js';
import { sampleRowsGame } from '../../testing/sample-definitions.js';
import { LOSING, RowsLaw } from './rows-law.js';
import { collisionChance, Placements, spreads } from './rows-placements.js';

const eldorado = loadGame('eldorado') as RowsGame;
const stake = defined(eldorado.stakes[1], 'the stake of one euro');
const law = new RowsLaw(eldorado, stake);

function line(symbol: string, count: number): number {
  return stake.payTable.findIndex((entry) => entry.symbol === symbol && entry.count === count);
}

describe('placements', () => {
  test('put a single winning row on any row', () => {
    const all = new Placements(law, { composition: [line('D', 4)], extra: [1, 0] });
    expect(all.sum()).toBe(6);
    expect(all.list()).toHaveLength(6);
    const first = all.sum((lines, grid) => (grid > 0 || lines[0] !== LOSING ? 1 : 0));
    expect(first).toBe(1);
  });

  test('do not tell equal rows apart', () => {
    const d4 = line('D', 4);
    const all = new Placements(law, { composition: [d4, d4], extra: [0] });
    expect(all.list().toSorted()).toEqual(
      [`${d4},${d4},-1`, `${d4},-1,${d4}`, `-1,${d4},${d4}`].toSorted(),
    );
  });

  test('leave room for EXTRA symbols', () => {
    const [p5, s5] = [line('P', 5), line('S', 5)];
    const inMain = new Placements(law, { composition: [p5, s5, s5], extra: [1, 0] });
    // Three full rows leave no cell of the main grid free: at least one of them is in the stage.
    const anywhere = (6 * 5 * 4) / 2;
    const allInMain = 3;
    expect(inMain.sum()).toBe(anywhere - allInMain);
    expect(new Set(inMain.list()).size).toBe(anywhere - allInMain);
    const full = new Placements(law, { composition: [p5, p5, p5, p5, p5, p5], extra: [1, 0] });
    expect(full.sum()).toBe(0);
    expect(full.list()).toEqual([]);
  });

  test('of a losing ticket are one', () => {
    expect(new Placements(law, { composition: [], extra: [2, 0, 0] }).sum()).toBe(1);
  });
});

describe('the rows of EXTRA symbols', () => {
  test('are likely by their spare cells', () => {
    const ways = spreads([5, 1, 5], 2);
    const chances = new Map(ways.map(({ extraOfRow, chance }) => [extraOfRow.join(), chance]));
    expect(chances.get('2,0,0')).toBeCloseTo(10 / 55, 12);
    expect(chances.get('1,1,0')).toBeCloseTo(5 / 55, 12);
    expect(chances.get('1,0,1')).toBeCloseTo(25 / 55, 12);
    expect(chances.has('0,2,0')).toBe(false);
    expect(ways.reduce((sum, { chance }) => sum + chance, 0)).toBeCloseTo(1, 12);
  });

  test('are nowhere where there are none', () => {
    expect(spreads([0, 1], 0)).toEqual([{ extraOfRow: [0, 0], chance: 1 }]);
  });
});

describe('the chance that two tickets are the same', () => {
  test('is one in all of them for losing tickets without EXTRA', () => {
    const chance = collisionChance(law, { composition: [], extra: [0] });
    expect(chance * 3020 ** 3).toBeCloseTo(1, 10);
  });

  test('counts the places of the winning row and its own symbols', () => {
    const chance = collisionChance(law, { composition: [line('D', 4)], extra: [0] });
    expect(chance * 3 * 20 * 3020 ** 2).toBeCloseTo(1, 10);
    const full = collisionChance(law, { composition: [line('D', 5)], extra: [0] });
    expect(full * 3 * 3020 ** 2).toBeCloseTo(1, 10);
  });

  test('is the sum of squared chances where these differ', () => {
    // One EXTRA in a grid of three losing rows: a row of 3, then one of the rows of its kind.
    const chance = collisionChance(law, { composition: [], extra: [1, 0] });
    const withExtra = 3 * (1 / 3) ** 2 * (1 / 3100) * 3020 ** -2;
    expect(chance / (withExtra * 3020 ** -3)).toBeCloseTo(1, 10);
  });

  test('is right by enumeration for a small game', () => {
    const game = sampleRowsGame('rows-plain');
    const small = new RowsLaw(game, defined(game.stakes[0], 'a stake'));
    const lines = defined(game.stakes[0], 'a stake').payTable;
    const b3 = lines.findIndex(({ symbol, count }) => symbol === 'B' && count === 3);
    const rows = defined(small.kindWith(b3, 0), 'rows of 3B').codes.length;
    expect(rows).toBe(8);
    const chance = collisionChance(small, { composition: [b3], extra: [0] });
    expect(chance * 2 * 8 * 54).toBeCloseTo(1, 10);
  });
});
