import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { loadGame } from '../../definitions/load-game.js';
import type { RowsGame, Stake } from '../../definitions/game.js';
import { decodedGrids } from '../../testing/decoded-grids.js';
import { sampleCollectGame, sampleRowsGame } from '../../testing/sample-definitions.js';
import type { Evaluation, Evaluator, Fault } from '../../verify/evaluator.js';
import { rowsEvaluator } from './evaluator.js';

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

const ELDORADO = loadGame('eldorado') as RowsGame;
const STAKE_1 = ELDORADO.stakes.find(({ stakeCents }) => stakeCents === 100)!;

/** What the regulation pays at a stake of 1 euro, in cents. */
const PAYS: ReadonlyMap<string, number> = new Map([
  ['5P', 1_000_000],
  ['4P', 500_000],
  ['5S', 100_000],
  ['4S', 10_000],
  ['5V', 5_000],
  ['4V', 1_500],
  ['5B', 1_000],
  ['4B', 500],
  ['5D', 300],
  ['4D', 200],
]);

const LOSING = ['PSVBD', 'DBVSP', 'PPSSV'];

function eldorado(...grids: readonly (readonly string[])[]) {
  return judge(rowsEvaluator(ELDORADO, STAKE_1), grids);
}

/** Grids of which the first begins with a row, and so many that its EXTRA symbols are right. */
function withRow(row: string): Grids {
  const extra = row.split('E').length - 1;
  return [[row, ...LOSING.slice(1)], ...new Array<readonly string[]>(extra).fill(LOSING)];
}

describe('a row of Eldorado', () => {
  test('pays what its count of one paying symbol says, for all 7,776 rows', () => {
    const evaluator = rowsEvaluator(ELDORADO, STAKE_1);
    const letters = Array.from('PSVBDE');
    let rows = [''];
    for (let column = 0; column < 5; column += 1) {
      rows = rows.flatMap((row) => letters.map((letter) => row + letter));
    }
    expect(rows).toHaveLength(7776);
    for (const row of rows) {
      const counts = letters.map((letter) => row.split(letter).length - 1);
      const paying = counts.findIndex((count, index) => count >= 4 && letters[index] !== 'E');
      const combination = paying < 0 ? '' : `${counts[paying]!}${letters[paying]!}`;
      const { window, record } = decodedGrids(withRow(row));
      const index = evaluator.evaluate(window, record);
      const { evaluation, faults } = evaluator.explain(withRow(row));
      const expected = {
        prizeCents: PAYS.get(combination) ?? 0,
        combination,
        feature: counts[5],
      };
      // More than three EXTRA are in no law of the game.
      const isLawful = counts[5]! <= 3;
      if (JSON.stringify(evaluation) !== JSON.stringify(expected)) {
        expect([row, evaluation]).toEqual([row, expected]);
      }
      if ((faults.length === 0) !== isLawful) expect([row, faults]).toEqual([row, []]);
      const fast = isLawful ? JSON.stringify(expected) : undefined;
      if (JSON.stringify(evaluator.evaluations[index]) !== fast) {
        expect([row, evaluator.evaluations[index]]).toEqual([row, expected]);
      }
    }
  });

  test.each([...PAYS])('pays %s with %d cents at a stake of 1 euro', (combination, prizeCents) => {
    const [count, letter] = [Number(combination[0]), combination[1]!];
    const other = letter === 'P' ? 'S' : 'P';
    const row = letter.repeat(count) + other.repeat(5 - count);
    expect(eldorado([row, ...LOSING.slice(1)])).toEqual({
      faults: [],
      prizeCents,
      combination,
      feature: 0,
    });
  });

  test.each(['PPPPS', 'PPPSP', 'PPSPP', 'PSPPP', 'SPPPP'])(
    'pays 4 identical in %s, adjacent or not',
    (row) => {
      expect(eldorado([LOSING[0]!, row, LOSING[2]!]).combination).toBe('4P');
    },
  );

  test('pays 5 identical as 5 only, never also as 4', () => {
    expect(eldorado([LOSING[0]!, LOSING[1]!, 'BBBBB'])).toEqual({
      faults: [],
      prizeCents: 1000,
      combination: '5B',
      feature: 0,
    });
  });

  test('pays and opens a stage with 4 identical and EXTRA', () => {
    expect(eldorado(['VVEVV', ...LOSING.slice(1)], LOSING)).toEqual({
      faults: [],
      prizeCents: 1500,
      combination: '4V',
      feature: 1,
    });
  });

  test.each(['EEEES', 'EEEEE'])('does not pay EXTRA in %s', (row) => {
    expect(eldorado(...withRow(row))).toMatchObject({ prizeCents: 0, combination: '' });
  });

  test('does not pay identical symbols in a column, a diagonal or over two rows', () => {
    expect(eldorado(['PSVBD', 'PDSVB', 'PVBDS'])).toMatchObject({ prizeCents: 0 });
    expect(eldorado(['PSVBD', 'DPSVB', 'SDPBV'])).toMatchObject({ prizeCents: 0 });
    expect(eldorado(['SVPPP', 'PPPSV', 'DSBDV'])).toMatchObject({ prizeCents: 0 });
  });
});

describe('a ticket of Eldorado', () => {
  test('wins the sum over all rows of all its grids', () => {
    const main = ['BBBBE', 'DDDDP', 'VVVVV'];
    const stage = ['BBBBP', 'DDDDD', 'DDSDD'];
    expect(eldorado(main, stage)).toEqual({
      faults: [],
      prizeCents: 5000 + 500 + 500 + 300 + 200 + 200,
      combination: '5V+4B+4B+5D+4D+4D',
      feature: 1,
    });
  });

  test('names its combinations highest amount first, wherever the rows stand', () => {
    const rows = ['DDDDP', 'VVVVP', 'BBBBB'];
    const evaluator = rowsEvaluator(ELDORADO, STAKE_1);
    const indexes = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ].map((order) => {
      const grid = order.map((index) => rows[index]!);
      expect(judge(evaluator, [grid]).combination).toBe('4V+5B+4D');
      const { window, record } = decodedGrids([grid]);
      return evaluator.evaluate(window, record);
    });
    expect(new Set(indexes).size).toBe(1);
    expect(evaluator.evaluations).toHaveLength(1);
  });

  test('names combinations of equal amounts in the order of the definition', () => {
    const game = sampleRowsGame('rows-plain', ['/stakes/0/pay_table/5/prize_cents', 200]);
    const evaluator = rowsEvaluator(game, game.stakes[0]!);
    expect(judge(evaluator, [['CACC', 'CCCC']]).combination).toBe('4C+3C');
    expect(judge(evaluator, [['CCCC', 'CACC']]).combination).toBe('4C+3C');
  });

  test.each([
    ['one EXTRA and no stage', [['EPSVB', ...LOSING.slice(1)]], 1, 0],
    ['no EXTRA and one stage', [LOSING, LOSING], 0, 1],
    [
      'EXTRA inside a stage that opens none',
      [
        ['EPSVB', ...LOSING.slice(1)],
        ['EPSVB', ...LOSING.slice(1)],
      ],
      2,
      1,
    ],
  ])('with %s has a wrong number of stages', (_, grids, extra, stages) => {
    expect(eldorado(...grids).faults).toEqual([
      {
        code: 'stage-count',
        expected: `${extra} EXTRA stages for ${extra} EXTRA symbols`,
        found: `${stages} EXTRA stages`,
      },
    ]);
  });

  test('with two EXTRA in stage 1 and none in the main grid cannot reach that stage', () => {
    expect(eldorado(LOSING, ['EESVB', ...LOSING.slice(1)], LOSING).faults).toEqual([
      {
        code: 'stage-reachability',
        grid: 2,
        expected: 'at least 1 EXTRA symbols in the grids before EXTRA stage 1',
        found: '0',
      },
    ]);
  });

  test('with one EXTRA before stage 2 and one in it cannot reach stage 2', () => {
    const extra = ['EPSVB', ...LOSING.slice(1)];
    expect(eldorado(extra, LOSING, extra).faults).toMatchObject([
      { code: 'stage-reachability', grid: 3, found: '1' },
    ]);
  });

  test('cannot reach a stage even where a definition lists such a vector', () => {
    const vectors = [{ extra: [0, 1], weight: 1 }];
    const game = sampleRowsGame('eldorado-mini', ['/policy/extra_stages/1/vectors', vectors]);
    const evaluator = rowsEvaluator(game, game.stakes[0]!);
    const { faults } = judge(evaluator, [LOSING, ['EPSVB', ...LOSING.slice(1)]]);
    expect(faults).toMatchObject([{ code: 'stage-reachability', grid: 2 }]);
  });

  test('may have EXTRA symbols in any way that reaches each stage', () => {
    const none = LOSING;
    const one = ['EPSVB', ...LOSING.slice(1)];
    const two = ['EPSVB', 'PEVBD', LOSING[2]!];
    const three = ['EPEVB', 'PEVBD', LOSING[2]!];
    for (const grids of [
      [none],
      [one, none],
      [one, one, none],
      [two, none, none],
      [one, one, one, none],
      [one, two, none, none],
      [two, none, one, none],
      [two, one, none, none],
      [three, none, none, none],
    ]) {
      expect(eldorado(...grids)).toEqual({
        faults: [],
        prizeCents: 0,
        combination: '',
        feature: grids.length - 1,
      });
    }
  });

  test('with four stages, each reached, is in no law of the definition', () => {
    const four = ['EPEVB', 'PEVED', LOSING[2]!];
    expect(eldorado(four, LOSING, LOSING, LOSING, LOSING).faults).toEqual([
      {
        code: 'extra-vector',
        expected:
          'EXTRA symbols per grid as one of 0 | 1,0 | 1,1,0 | 2,0,0 | 1,1,1,0 | 1,2,0,0 | 2,0,1,0 | 2,1,0,0 | 3,0,0,0',
        found: '4,0,0,0,0',
      },
    ]);
  });

  test('has a vector of EXTRA only where its weight is not 0', () => {
    const edit = ['/policy/extra_stages/2/vectors/0/weight', 0] as const;
    const game = sampleRowsGame('eldorado-mini', edit);
    const evaluator = rowsEvaluator(game, game.stakes[0]!);
    const one = ['EPSVB', ...LOSING.slice(1)];
    const { faults } = judge(evaluator, [one, one, LOSING]);
    expect(faults).toMatchObject([{ code: 'extra-vector', found: '1,1,0' }]);
    expect(judge(evaluator, [['EESVB', ...LOSING.slice(1)], LOSING, LOSING]).faults).toEqual([]);
  });

  test('may be without EXTRA only where the law lets it', () => {
    const game = sampleRowsGame('eldorado-mini', ['/policy/extra_stages/0/weight', 0]);
    const evaluator = rowsEvaluator(game, game.stakes[0]!);
    expect(judge(evaluator, [LOSING]).faults).toMatchObject([{ code: 'extra-vector', found: '0' }]);
    expect(judge(evaluator, [['EPSVB', ...LOSING.slice(1)], LOSING]).faults).toEqual([]);
  });

  test.each(['XPSVB', 'PSVBH', 'pSVBD', 'PS\u0000BD', 'PSV\u00c9D', 'PSV/D'])(
    'does not have the row %j, with a symbol of no game or of another',
    (row) => {
      expect(eldorado([LOSING[0]!, LOSING[1]!, row])).toEqual({
        faults: [{ code: 'symbol', grid: 1, row: 3, expected: 'only PSVBDE', found: row }],
        prizeCents: 0,
        combination: '',
        feature: 0,
      });
    },
  );

  test('has every fault said, not only the first', () => {
    expect(
      eldorado(['XPSVB', ...LOSING.slice(1)], ['PSVBD', 'YYYYY', 'DBVSP']).faults,
    ).toMatchObject([
      { code: 'symbol', grid: 1, row: 1 },
      { code: 'symbol', grid: 2, row: 2 },
      { code: 'stage-count' },
    ]);
  });
});

test('the rows evaluator judges no game of another mechanic', () => {
  const game = sampleCollectGame('lagon-mini');
  expect(() => rowsEvaluator(game, game.stakes[0]!)).toThrow('collect game');
});

/** Rows of letters that often win, hold EXTRA, or letters that the game does not have. */
function anyRow({ symbols, grid }: RowsGame): fc.Arbitrary<string> {
  const codes = symbols.map(({ code }) => code);
  const known = fc.constantFrom(...codes);
  const wild = fc.constantFrom(...codes, 'X', 'e', '\u0000', '/', '\u00ff');
  const size = { minLength: grid.columns, maxLength: grid.columns };
  const winning = fc
    .tuple(known, fc.array(known, size), fc.uniqueArray(fc.nat({ max: grid.columns - 1 })))
    .map(([letter, others, places]) =>
      others.map((other, place) => (places.includes(place) ? other : letter)).join(''),
    );
  return fc.oneof(
    { weight: 12, arbitrary: winning },
    { weight: 12, arbitrary: fc.array(known, size).map((cells) => cells.join('')) },
    { weight: 1, arbitrary: fc.array(wild, size).map((cells) => cells.join('')) },
  );
}

/** Grids of any rows, and grids in which EXTRA stands as often as a vector says. */
function anyGrids(game: RowsGame): fc.Arbitrary<Grids> {
  const grid = fc.array(anyRow(game), { minLength: game.grid.rows, maxLength: game.grid.rows });
  const wild = fc.array(grid, { minLength: 1, maxLength: 5 });
  const triggers = game.symbols.filter(({ role }) => role === 'trigger').map(({ code }) => code);
  const lawful = game.policy.extraStages.flatMap(({ vectors }) =>
    vectors.map(({ extra }) => extra),
  );
  const anyVector = fc.oneof(
    fc.constantFrom(...lawful),
    fc.constantFrom([0, 1], [0, 2, 0], [1, 0, 1], [4, 0, 0, 0, 0], [2, 0, 0, 1], [1], [0, 0]),
  );
  const withVector = fc
    .tuple(anyVector, fc.array(grid, { minLength: 5, maxLength: 5 }), fc.array(fc.nat()))
    .map(([vector, grids, places]) =>
      vector.map((count, index) => placeExtra(grids[index]!, { count, places, triggers })),
    );
  return fc.oneof({ weight: 1, arbitrary: wild }, { weight: 4, arbitrary: withVector });
}

/** A grid without its EXTRA symbols but for `count` of them. */
function placeExtra(
  rows: readonly string[],
  options: { count: number; places: readonly number[]; triggers: readonly string[] },
): readonly string[] {
  const { count, places, triggers } = options;
  const [trigger = ''] = triggers;
  const columns = rows[0]!.length;
  const cells = Array.from(rows.join(''), (letter) => (letter === trigger ? 'P' : letter));
  const free = cells.map((_, cell) => cell);
  for (let index = 0; index < count && trigger !== ''; index += 1) {
    const [cell = 0] = free.splice((places[index] ?? index) % free.length, 1);
    cells[cell] = trigger;
  }
  return rows.map((_, row) => cells.slice(row * columns, (row + 1) * columns).join(''));
}

describe('the tables and the careful judge of the rows mechanic', () => {
  const games: readonly (readonly [string, RowsGame, Stake])[] = [
    ['eldorado', ELDORADO, STAKE_1],
    ['eldorado-mini', sampleRowsGame('eldorado-mini'), sampleRowsGame('eldorado-mini').stakes[0]!],
    ['rows-plain', sampleRowsGame('rows-plain'), sampleRowsGame('rows-plain').stakes[0]!],
    [
      'eldorado-mini without plain tickets and with half of the vectors',
      sampleRowsGame(
        'eldorado-mini',
        ['/policy/extra_stages/0/weight', 0],
        ['/policy/extra_stages/2/vectors/1/weight', 0],
        ['/policy/extra_stages/3/vectors/2/weight', 0],
      ),
      STAKE_1,
    ],
  ];

  test.each(games)('agree on all grids of %s', (_, game, stake) => {
    const evaluator = rowsEvaluator(game, stake);
    let right = 0;
    let wrong = 0;
    let winning = 0;
    fc.assert(
      fc.property(anyGrids(game), (grids) => {
        const { faults, prizeCents } = judge(evaluator, grids);
        if (faults.length === 0) right += 1;
        else wrong += 1;
        if (faults.length === 0 && prizeCents > 0) winning += 1;
      }),
      { numRuns: 1000 },
    );
    expect(Math.min(right, wrong)).toBeGreaterThan(50);
    expect(winning).toBeGreaterThan(20);
    const words = evaluator.evaluations.map((evaluation) => JSON.stringify(evaluation));
    expect(new Set(words).size).toBe(words.length);
  });
});
