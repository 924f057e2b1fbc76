import { describe, expect, test } from '@jest/globals';
import { defined } from '../../core/assert.js';
import { loadGame } from '../../definitions/load-game.js';
import type { RowsGame } from '../../definitions/game.js';
import { sampleRowsGame } from '../../testing/sample-definitions.js';
import { RowsLaw } from './rows-law.js';
import { patternsOf } from './rows-patterns.js';

const eldorado = loadGame('eldorado') as RowsGame;
const law = new RowsLaw(eldorado, defined(eldorado.stakes[1], 'the stake of one euro'));

/** The letters of a row's code. */
function lettersOf(code: number): string {
  return Array.from(
    { length: law.columns },
    (_, cell) => law.letters[law.symbolAt(code, cell)],
  ).join('');
}

describe('the law of rows', () => {
  test('sorts every row that letters can form', () => {
    expect(law.rowCount).toBe(6 ** 5);
    expect(law.kinds.reduce((sum, { codes }) => sum + codes.length, 0)).toBe(6 ** 5);
    expect(law.plain.codes.length).toBe(3020);
    expect(law.plain.name).toBe('losing rows');
  });

  test('knows winning rows by their line and EXTRA symbols', () => {
    // 4D is the cheapest line: a place of five for one of four other paying symbols, or for EXTRA.
    const line = defined(eldorado.stakes[1], 'a stake').payTable.findIndex(
      ({ symbol, count }) => symbol === 'D' && count === 4,
    );
    const plain = defined(law.kindWith(line, 0), 'rows of 4D');
    const withExtra = defined(law.kindWith(line, 1), 'rows of 4D with EXTRA');
    expect(plain.name).toBe('rows of 4D');
    expect(plain.codes.length).toBe(20);
    expect(withExtra.name).toBe('rows of 4D with 1 EXTRA');
    expect(withExtra.codes.map(lettersOf)).toEqual(['DDDDE', 'DDDED', 'DDEDD', 'DEDDD', 'EDDDD']);
    expect(law.spareCells(line)).toBe(1);
    expect(law.spareCells(-1)).toBe(5);
    expect(law.kindWith(line, 2)).toBeUndefined();
  });

  test('counts losing rows with EXTRA symbols', () => {
    // Four paying cells that are not all the same; three, two, one and no paying cell.
    const counts = [1, 2, 3, 4, 5].map((extra) => law.kindWith(-1, extra)?.codes.length);
    expect(counts).toEqual([5 * (5 ** 4 - 5), 10 * 5 ** 3, 10 * 5 ** 2, 5 * 5, 1]);
  });

  test('reads the cells of a row', () => {
    expect(law.symbolsOf(law.plain.codes[0] ?? 0).reduce((sum, count) => sum + count)).toBe(5);
    expect(law.plain.codes.map(lettersOf)).toContain('PSVBD');
  });

  test('holds for a game without EXTRA', () => {
    const game = sampleRowsGame('rows-plain');
    const plain = new RowsLaw(game, defined(game.stakes[0], 'a stake'));
    // Of 81 rows 3 have four alike and 24 have three.
    expect(plain.plain.codes.length).toBe(54);
    expect(plain.trigger).toBe(-1);
    expect(plain.kinds.every(({ extra }) => extra === 0)).toBe(true);
  });
});

describe('the patterns of rows', () => {
  const patterns = patternsOf(law);
  const plain = law.kinds.indexOf(law.plain);

  test('are worked out once', () => {
    expect(patternsOf(law)).toBe(patterns);
  });

  test('give every symbol the same chance in a losing row', () => {
    for (const chances of patterns.cells[plain] ?? []) {
      expect(chances.slice(0, 5).every((chance) => Math.abs(chance - 0.2) < 1e-12)).toBe(true);
      expect(chances[5]).toBe(0);
    }
  });

  test('know that equal neighbours are rarer in a losing row than elsewhere', () => {
    const [pairs] = patterns.pairs;
    const isSame = (code: number): boolean => law.symbolAt(code, 0) === law.symbolAt(code, 1);
    const same = law.plain.codes.filter(isSame).length / 3020;
    const sum = [0, 1, 2, 3, 4].reduce((total, symbol) => total + (pairs?.[symbol * 7] ?? 0), 0);
    expect(sum).toBeCloseTo(same, 12);
    expect(same).toBeLessThan(0.2);
  });

  test('find near wins: three of one symbol', () => {
    const near = patterns.near[plain];
    // A symbol of five on three of five cells, and two others that are not it.
    expect(near?.chance).toBeCloseTo((5 * 10 * 16) / 3020, 12);
    const at = law.plain.codes.findIndex((code) => lettersOf(code) === 'PVPVV');
    expect(near?.symbols[at]).toBe(1 + law.letters.indexOf('V'));
    const winning = law.kinds.findIndex(({ line }) => line >= 0);
    expect(patterns.near[winning]).toBeUndefined();
  });

  test('know how the symbols of a losing row vary together', () => {
    const { mean, covariance } = patterns.filler;
    for (const value of mean.slice(0, 5)) expect(value).toBeCloseTo(1, 12);
    const row = covariance.slice(0, 6).reduce((sum, value) => sum + value);
    expect(row).toBeCloseTo(0, 12);
    const squares = law.plain.codes.map((code) => (law.symbolsOf(code)[0] ?? 0) ** 2);
    const variance = squares.reduce((sum, square) => sum + square) / 3020 - 1;
    expect(covariance[0]).toBeCloseTo(variance, 12);
  });
});
