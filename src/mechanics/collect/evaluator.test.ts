import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CollectGame } from '../../definitions/game.js';
import { loadGame } from '../../definitions/load-game.js';
import { decodedGrids } from '../../testing/decoded-grids.js';
import { sampleCollectGame, sampleRowsGame } from '../../testing/sample-definitions.js';
import type { Evaluation, Evaluator, Fault } from '../../verify/evaluator.js';
import { collectEvaluator } from './evaluator.js';

type Grids = readonly (readonly string[])[];

/** What both ways of judging say together; they must agree. */
function judge(evaluator: Evaluator, grids: Grids): { faults: readonly Fault[] } & Evaluation {
  const { window, record } = decodedGrids(grids);
  const index = evaluator.evaluate(window, record);
  const { faults, evaluation } = evaluator.explain(grids);
  expect([grids, index >= 0]).toEqual([grids, faults.length === 0]);
  if (index >= 0) expect(evaluator.evaluations[index]).toEqual(evaluation);
  else expect(index).toBe(-1);
  return { faults, ...evaluation };
}

/** Play symbols T, P, H; neutral ones C, E, N, V. */
const LAGON = loadGame('lagon-paradis') as CollectGame;
const STAKE_1 = LAGON.stakes.find(({ stakeCents }) => stakeCents === 100)!;

/** What the regulation pays at a stake of 1 euro, in cents. */
const PAYS: readonly (readonly [count: number, prizeCents: number])[] = [
  [10, 500_000],
  [9, 50_000],
  [8, 10_000],
  [7, 2_000],
  [6, 500],
  [5, 200],
  [4, 100],
];

function lagon(...grids: Grids) {
  return judge(collectEvaluator(LAGON, STAKE_1), grids);
}

/** A grid of 18 cells: some letters, the rest neutral. */
function gridOf(...parts: readonly (readonly [letter: string, count: number])[]): string[] {
  const letters = parts.map(([letter, count]) => letter.repeat(count)).join('');
  const cells = letters + 'CENV'.repeat(5).slice(0, 18 - letters.length);
  return [cells.slice(0, 6), cells.slice(6, 12), cells.slice(12)];
}

/** One grid for each choice, each with so many of its symbol. */
function gridsOf(...counts: readonly number[]): string[][] {
  return counts.map((count, choice) => gridOf(['TPH'[choice] ?? 'T', count]));
}

describe('a ticket of Lagon Paradis', () => {
  test.each(PAYS)('with %d of the chosen symbol wins %d cents at 1 euro', (count, prizeCents) => {
    expect(lagon(...gridsOf(count, count, count))).toEqual({
      faults: [],
      prizeCents,
      combination: String(count),
      feature: count,
    });
  });

  test.each([0, 1, 2, 3])('with %d of the chosen symbol loses', (count) => {
    expect(lagon(...gridsOf(count, count, count))).toEqual({
      faults: [],
      prizeCents: 0,
      combination: '',
      feature: count,
    });
  });

  test.each([11, 12, 18])('never has %d of the chosen symbol', (count) => {
    expect(lagon(...gridsOf(count, count, count))).toEqual({
      faults: [
        {
          code: 'chosen-count',
          expected: 'one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 chosen symbols',
          found: String(count),
        },
      ],
      prizeCents: 0,
      combination: '',
      feature: count,
    });
  });

  test('has no number of chosen symbols whose weight is 0', () => {
    const game = sampleCollectGame('lagon-mini', ['/policy/losing_counts/3/weight', 0]);
    const evaluator = collectEvaluator(game, game.stakes[0]!);
    expect(judge(evaluator, gridsOf(3, 3, 3)).faults).toMatchObject([{ code: 'chosen-count' }]);
    expect(judge(evaluator, gridsOf(2, 2, 2)).faults).toEqual([]);
  });

  test.each([
    [5, 5, 4],
    [5, 4, 5],
    [4, 5, 5],
    [3, 4, 4],
    [10, 11, 10],
    [0, 0, 1],
  ])('must not depend on the choice: %d, %d, %d', (...counts) => {
    expect(lagon(...gridsOf(...counts)).faults).toEqual([
      {
        code: 'choices-differ',
        expected: 'the same number of chosen symbols whatever the choice',
        found: counts.join(', '),
      },
    ]);
  });

  test('has its grids in the order of the choices', () => {
    const [t, p, h] = gridsOf(5, 5, 5);
    expect(lagon(t!, h!, p!).faults).toMatchObject([
      { code: 'symbol-cap', grid: 2 },
      { code: 'symbol-cap', grid: 3 },
      { code: 'choices-differ', found: '5, 0, 0' },
    ]);
  });

  test('may have 3 of each symbol that was not chosen, and not 4', () => {
    const rest = gridsOf(4, 4)
      .slice(1)
      .concat(gridsOf(0, 0, 4).slice(2));
    expect(lagon(gridOf(['T', 4], ['P', 3], ['H', 3]), ...rest).faults).toEqual([]);
    expect(lagon(gridOf(['T', 4], ['P', 4], ['H', 3]), ...rest).faults).toEqual([
      {
        code: 'symbol-cap',
        grid: 1,
        expected: 'at most 3 of P, which is not the chosen symbol',
        found: '4',
      },
    ]);
  });

  test('may be filled with one neutral symbol, which has no cap', () => {
    const [, ...rest] = gridsOf(0, 0, 0);
    expect(lagon(['CCCCCC', 'CCCCCC', 'CCCCCC'], ...rest).faults).toEqual([]);
  });

  test('keeps the cap of neutral symbols where there is one', () => {
    const game = sampleCollectGame('lagon-mini', ['/policy/neutral_cap', 6]);
    const evaluator = collectEvaluator(game, game.stakes[0]!);
    const [, ...rest] = gridsOf(4, 4, 4);
    expect(judge(evaluator, [gridOf(['T', 4], ['C', 2]), ...rest]).faults).toEqual([]);
    expect(judge(evaluator, [gridOf(['T', 4], ['C', 5]), ...rest]).faults).toEqual([
      {
        code: 'symbol-cap',
        grid: 1,
        expected: 'at most 6 of C, which is not the chosen symbol',
        found: '8',
      },
    ]);
  });

  test.each([1, 2, 4])('does not have %d grids', (count) => {
    expect(lagon(...gridsOf(5, 5, 5, 5).slice(0, count)).faults).toContainEqual({
      code: 'grid-count',
      expected: '3 grids, one for each choice',
      found: String(count),
    });
  });

  test('with a grid too many has nothing else held against it', () => {
    const grids = [...gridsOf(5, 5, 5), gridOf(['N', 3])];
    expect(lagon(...grids).faults.map(({ code }) => code)).toEqual(['grid-count']);
  });

  test.each(['S', 't', '\u0000', '\u00ff', '/'])('does not have the symbol %j', (letter) => {
    const [t, p, h] = gridsOf(5, 5, 5);
    const rows = [p![0]!, p![1]!, `${letter}${p![2]!.slice(1)}`];
    expect(lagon(t!, rows, h!)).toEqual({
      faults: [{ code: 'symbol', grid: 2, row: 3, expected: 'only TPHCENV', found: rows[2] }],
      prizeCents: 200,
      combination: '5',
      feature: 5,
    });
  });
});

test('the collect evaluator judges no game of another mechanic', () => {
  const game = sampleRowsGame('rows-plain');
  expect(() => collectEvaluator(game, game.stakes[0]!)).toThrow('rows game');
});

/** Three grids that mostly have one number of chosen symbols, and sometimes too many of others. */
function anyGrids({ symbols, grid }: CollectGame): fc.Arbitrary<Grids> {
  const cellCount = grid.rows * grid.columns;
  const codes = symbols.map(({ code }) => code);
  const play = symbols.filter(({ role }) => role === 'play').map(({ code }) => code);
  const anyCount = fc.nat({ max: 12 });
  const counts = fc.oneof(
    { weight: 8, arbitrary: anyCount.map((count) => play.map(() => count)) },
    { weight: 1, arbitrary: fc.array(anyCount, { minLength: 1, maxLength: play.length + 1 }) },
  );
  const size = { minLength: cellCount, maxLength: cellCount };
  const even = fc
    .shuffledSubarray(Array.from({ length: 3 }, () => codes).flat())
    .map((letters) => [...letters, ...new Array<string>(cellCount).fill(codes.at(-1)!)]);
  const wild = fc.constantFrom(...codes, ...codes, ...codes, 'X', '\u0000');
  const fillers = fc.oneof(
    { weight: 8, arbitrary: even },
    { weight: 1, arbitrary: fc.array(wild, size) },
  );
  return fc.tuple(counts, fc.array(fillers, { minLength: 7, maxLength: 7 })).map(([list, fills]) =>
    list.map((count, choice) => {
      const chosen = play[choice] ?? 'X';
      const others = fills[choice]!.filter((letter) => letter !== chosen);
      const cells = [...new Array<string>(count).fill(chosen), ...others].slice(0, cellCount);
      while (cells.length < cellCount) cells.push(codes.find((code) => code !== chosen)!);
      // Turned by a place that depends on the cells, so that chosen symbols stand anywhere.
      const turned = [...cells.slice(count), ...cells.slice(0, count)].join('');
      return Array.from({ length: grid.rows }, (_, row) =>
        turned.slice(row * grid.columns, (row + 1) * grid.columns),
      );
    }),
  );
}

describe('the tables and the careful judge of the collect mechanic', () => {
  test.each([
    ['lagon-paradis', LAGON],
    ['lagon-mini', sampleCollectGame('lagon-mini')],
    ['collect-bare', sampleCollectGame('collect-bare')],
    [
      'lagon-mini with other caps',
      sampleCollectGame('lagon-mini', ['/policy/neutral_cap', 6], ['/policy/unchosen_cap', null]),
    ],
    [
      'lagon-mini without 0 and 3',
      sampleCollectGame(
        'lagon-mini',
        ['/policy/losing_counts/0/weight', 0],
        ['/policy/losing_counts/3/weight', 0],
      ),
    ],
  ] as const)('agree on all grids of %s', (_, game) => {
    const evaluator = collectEvaluator(game, game.stakes.at(-1)!);
    let right = 0;
    let wrong = 0;
    fc.assert(
      fc.property(anyGrids(game), (grids) => {
        if (judge(evaluator, grids).faults.length === 0) right += 1;
        else wrong += 1;
      }),
      { numRuns: 1000 },
    );
    expect(Math.min(right, wrong)).toBeGreaterThan(50);
    const words = evaluator.evaluations.map((evaluation) => JSON.stringify(evaluation));
    expect(new Set(words).size).toBe(words.length);
  });
});
