import { describe, expect, test } from '@jest/globals';
import { loadGame } from '../definitions/load-game.js';
import { evaluateTicket } from './evaluate-ticket.js';

const ELDORADO = loadGame('eldorado');
const LAGON = loadGame('lagon-paradis');

test('gains of several rows and stages add up to one prize (Eldorado, article 4.6)', () => {
  const { evaluation, faults } = evaluateTicket(ELDORADO, 100, [
    ['VVVVE', 'PSVBD', 'PSVBD'],
    ['PSVBD', 'BBPBB', 'DSVBD'],
  ]);
  expect(faults).toEqual([]);
  expect(evaluation).toEqual({ prizeCents: 1500 + 500, combination: '4V+4B', feature: 1 });
});

test('the same ticket is worth twice as much at twice the stake', () => {
  const grids = [['VVVVP', 'PSVBD', 'PSVBD']];
  expect(evaluateTicket(ELDORADO, 50, grids).evaluation.prizeCents).toBe(750);
  expect(evaluateTicket(ELDORADO, 100, grids).evaluation.prizeCents).toBe(1500);
  expect(evaluateTicket(ELDORADO, 200, grids).evaluation.prizeCents).toBe(3000);
});

test('four of the chosen symbol win whatever the choice (Lagon Paradis, articles 4.3 and 4.4)', () => {
  const { evaluation, faults } = evaluateTicket(LAGON, 100, [
    ['TTTTCC', 'CENVCE', 'NVCENV'],
    ['PPCEPP', 'CENVCE', 'NVCENV'],
    ['CENVCE', 'HHHCEH', 'NVCENV'],
  ]);
  expect(faults).toEqual([]);
  expect(evaluation).toEqual({ prizeCents: 100, combination: '4', feature: 4 });
});

test('what is against the rules is said, with its place', () => {
  const { faults } = evaluateTicket(ELDORADO, 100, [['PSVBD', 'PSXBD', 'PSVBD']]);
  expect(faults).toEqual([
    { code: 'symbol', grid: 1, row: 2, expected: 'only PSVBDE', found: 'PSXBD' },
  ]);
});

describe('grids of another shape', () => {
  const ROW = 'PPPPP';
  test.each<[string, readonly (readonly string[])[], string]>([
    ['no grid', [], 'grid-count'],
    ['a grid without rows', [[]], 'grid-shape'],
    ['one row', [[ROW]], 'grid-shape'],
    ['four rows', [[ROW, ROW, ROW, ROW]], 'grid-shape'],
    ['rows of four', [['PPPP', 'VSPB', 'BDVS']], 'grid-shape'],
    ['one long row', [['PPPPPP', 'VSPBD', 'BDVSP']], 'grid-shape'],
  ])('win nothing: %s', (_, grids, code) => {
    const { faults, evaluation } = evaluateTicket(ELDORADO, 100, grids);
    expect(faults).toMatchObject([{ code }]);
    expect(evaluation).toEqual({ prizeCents: 0, combination: '', feature: 0 });
  });
});
