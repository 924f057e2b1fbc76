import { describe, expect, test } from '@jest/globals';
import { sampleRowsGame, type Edit } from '../../testing/sample-definitions.js';
import { checkRows } from './rules-check.js';

type Found = readonly [pointer: string, found: string, expected: string];

type Sample = 'eldorado-mini' | 'rows-plain';

const FIVE_CODES = ['A', 'B', 'C', 'D', 'E'];

const STAGES = '/policy/extra_stages';

function symbol(code: string, role = 'pay'): object {
  return { code, id: code.toLowerCase(), role };
}

function line(symbol: string, count: number, prizeCents: number): object {
  return { symbol, count, prize_cents: prizeCents };
}

function stages(count: number, ...vectors: readonly (readonly number[])[]): object {
  return { stages: count, weight: 1, vectors: vectors.map((extra) => ({ extra, weight: 1 })) };
}

/** One change each, and exactly the problems that it makes. */
const CASES: readonly (readonly [string, Sample, readonly Edit[], readonly Found[]])[] = [
  [
    'two trigger symbols',
    'eldorado-mini',
    [['/symbols/6', symbol('F', 'trigger')]],
    [['/symbols', '2 trigger symbols (E, F)', 'at most one']],
  ],
  [
    'one pay symbol',
    'rows-plain',
    [
      ['/symbols', [symbol('A')]],
      ['/stakes/0/pay_table', [line('A', 4, 4000), line('A', 3, 1000)]],
    ],
    [
      ['/symbols', '1 pay symbols', 'at least 2, or no row could lose'],
      [
        '/stakes/0/pay_table',
        'combinations that leave at most 2 cells of a losing row',
        'room for a losing row of 4',
      ],
    ],
  ],
  [
    'too many different rows',
    'rows-plain',
    [
      ['/grid/columns', 8],
      ['/symbols', FIVE_CODES.map((code) => symbol(code))],
      ['/stakes/0/pay_table', FIVE_CODES.map((code) => line(code, 8, 100))],
    ],
    [['/grid/columns', '1679616 different rows of 5 pay symbols and EXTRA', 'at most 1048576']],
  ],
  [
    'a combination of an unknown symbol',
    'rows-plain',
    [['/stakes/0/pay_table/6', line('X', 4, 50)]],
    [['/stakes/0/pay_table', '4X', 'one of the pay symbols A, B, C']],
  ],
  [
    'a combination of EXTRA',
    'eldorado-mini',
    [['/stakes/0/pay_table/10', line('E', 5, 50)]],
    [['/stakes/0/pay_table', '5E', 'one of the pay symbols P, S, V, B, D']],
  ],
  [
    'a combination without a symbol',
    'rows-plain',
    [['/stakes/0/pay_table/6', { count: 4, prize_cents: 50 }]],
    [['/stakes/0/pay_table', '4', 'one of the pay symbols A, B, C']],
  ],
  [
    'combinations that could share a row',
    'rows-plain',
    [['/stakes/0/pay_table/6', line('C', 2, 50)]],
    [['/stakes/0/pay_table', '2C', 'a count above half of the 4 cells of a row, and at most all']],
  ],
  [
    'a combination longer than a row',
    'rows-plain',
    [['/stakes/0/pay_table/6', line('C', 5, 50)]],
    [['/stakes/0/pay_table', '5C', 'a count above half of the 4 cells of a row, and at most all']],
  ],
  [
    'a count that pays while the next one does not',
    'rows-plain',
    [['/stakes/0/pay_table/4', undefined]],
    [
      [
        '/stakes/0/pay_table',
        '3C without 4C',
        'every count from the smallest that pays up to the full row',
      ],
    ],
  ],
  [
    'a pay symbol that never pays',
    'rows-plain',
    [['/symbols/3', symbol('D')]],
    [['/stakes/0/pay_table', 'no combination of D', 'at least one combination of each pay symbol']],
  ],
  [
    'no row that loses',
    'rows-plain',
    [
      ['/grid/columns', 3],
      ['/symbols/2', undefined],
      [
        '/stakes/0/pay_table',
        [line('A', 3, 4000), line('A', 2, 1000), line('B', 3, 200), line('B', 2, 100)],
      ],
    ],
    [
      [
        '/stakes/0/pay_table',
        'combinations that leave at most 2 cells of a losing row',
        'room for a losing row of 3',
      ],
    ],
  ],
  [
    'composition weights that are all 0',
    'rows-plain',
    [['/policy/composition_weights', [0, 0]]],
    [['/policy/composition_weights', 'a sum of weights of 0', 'at least one positive weight']],
  ],
  [
    'stage weights that are all 0',
    'rows-plain',
    [[`${STAGES}/0/weight`, 0]],
    [[STAGES, 'a sum of weights of 0', 'at least one positive weight']],
  ],
  [
    'stage weights with too large a sum',
    'eldorado-mini',
    [[`${STAGES}/0/weight`, 999_851]],
    [[STAGES, 'a sum of weights of 1000001', 'a sum of weights of at most 1000000']],
  ],
  [
    'no entry for 0 stages',
    'eldorado-mini',
    [[`${STAGES}/0`, undefined]],
    [[`${STAGES}/0/stages`, '1', '0 in the first entry, if need be with weight 0']],
  ],
  [
    'a number of stages twice',
    'eldorado-mini',
    [[`${STAGES}/4`, stages(3, [3, 0, 0, 0])]],
    [[`${STAGES}/4/stages`, '3', 'more than 3, the value before it']],
  ],
  [
    'stages without a trigger symbol',
    'rows-plain',
    [[`${STAGES}/1`, stages(1, [1, 0])]],
    [[`${STAGES}/1/stages`, '1', '0 in a game without a trigger symbol']],
  ],
  [
    'a vector that is too short',
    'eldorado-mini',
    [[`${STAGES}/1/vectors/0/extra`, [1]]],
    [[`${STAGES}/1/vectors/0/extra`, '[1]', '2 numbers, one for each grid']],
  ],
  [
    'a vector of another sum',
    'eldorado-mini',
    [[`${STAGES}/2/vectors/0/extra`, [2, 1, 0]]],
    [[`${STAGES}/2/vectors/0/extra`, '[2, 1, 0]', 'a sum of 2']],
  ],
  [
    'a vector whose first stage cannot be reached',
    'eldorado-mini',
    [[`${STAGES}/2/vectors/0/extra`, [0, 2, 0]]],
    [[`${STAGES}/2/vectors/0/extra`, '[0, 2, 0]', 'at least 1 EXTRA in the grids before stage 1']],
  ],
  [
    'a vector whose second stage cannot be reached',
    'eldorado-mini',
    [[`${STAGES}/2/vectors/0/extra`, [1, 0, 1]]],
    [[`${STAGES}/2/vectors/0/extra`, '[1, 0, 1]', 'at least 2 EXTRA in the grids before stage 2']],
  ],
  [
    'a vector twice',
    'eldorado-mini',
    [[`${STAGES}/2/vectors/0/extra`, [2, 0, 0]]],
    [
      [
        `${STAGES}/2/vectors/1/extra`,
        '[2, 0, 0]',
        `another value than at ${STAGES}/2/vectors/0/extra`,
      ],
    ],
  ],
  [
    'stages that occur, but none of their vectors',
    'eldorado-mini',
    [[`${STAGES}/1/vectors/0/weight`, 0]],
    [[`${STAGES}/1/vectors`, 'a sum of weights of 0', 'at least one positive weight']],
  ],
  [
    'too many ways to place winning rows',
    'eldorado-mini',
    [['/policy/composition_weights', [1, 1, 1, 1, 1, 1, 1, 1, 1]]],
    [
      [
        `${STAGES}/3/stages`,
        '3, which gives 5159780352 ways to place 9 winning rows',
        'fewer than 4294967296 ways: fewer stages or composition weights',
      ],
    ],
  ],
  [
    'more EXTRA than cells',
    'eldorado-mini',
    [
      ['/grid/rows', 1],
      [`${STAGES}/4`, stages(6, [6, 0, 0, 0, 0, 0, 0])],
    ],
    [
      [
        `${STAGES}/4/vectors/0/extra`,
        '6 EXTRA in a grid of 5 cells',
        'at least one way and fewer than 4294967296 to choose their cells',
      ],
    ],
  ],
  [
    'too many ways to place EXTRA symbols',
    'eldorado-mini',
    [
      ['/grid/rows', 8],
      ['/policy/composition_weights', [1]],
      [`${STAGES}/4`, stages(10, [10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
      ['/grid/columns', 8],
      [
        '/stakes/0/pay_table',
        ['P', 'S', 'V', 'B'].map((code, index) =>
          line(code, 8, [250_000, 5000, 750, 100][index] ?? 0),
        ),
      ],
      ['/symbols/4', undefined],
    ],
    [
      [
        `${STAGES}/4/vectors/0/extra`,
        '10 EXTRA in a grid of 64 cells',
        'at least one way and fewer than 4294967296 to choose their cells',
      ],
    ],
  ],
  [
    'a prize that combinations do not add up to',
    'rows-plain',
    [['/stakes/0/tiers/2/prize_cents', 650]],
    [
      [
        '/stakes/0/tiers/2/prize_cents',
        '650',
        'a sum of combinations whose number of rows has a positive weight',
      ],
    ],
  ],
  [
    'a prize whose only composition has weight 0',
    'rows-plain',
    [['/policy/composition_weights', [1, 0]]],
    [
      [
        '/stakes/0/tiers/2/prize_cents',
        '600',
        'a sum of combinations whose number of rows has a positive weight',
      ],
    ],
  ],
  [
    'a tier without room at one number of stages',
    'eldorado-mini',
    [
      ['/grid/rows', 1],
      ['/stakes/0/tiers', [{ count: 1, prize_cents: 750_000 }]],
    ],
    [
      [
        '/stakes/0/tiers/0',
        'no composition with room for 0 EXTRA',
        'one at each number of EXTRA stages, whose law is the same in every tier',
      ],
    ],
  ],
  [
    'compositions with too large a sum of weights',
    'rows-plain',
    [
      ['/policy/composition_weights', [600_000, 400_000]],
      ['/stakes/0/pay_table/1/prize_cents', 4000],
    ],
    [['/stakes/0/tiers/0', 'a sum of weights of 1200000', 'a sum of weights of at most 1000000']],
  ],
];

describe('the rules of the rows mechanic', () => {
  test.each(['eldorado-mini', 'rows-plain'] as const)('accept the sample %s', (name) => {
    expect(checkRows(sampleRowsGame(name))).toEqual([]);
  });

  test.each(CASES)('refuse %s', (_, name, edits, found) => {
    expect(checkRows(sampleRowsGame(name, ...edits))).toEqual(
      found.map(([pointer, found, expected]) => ({ pointer, found, expected })),
    );
  });

  test('accept what cannot occur because its weight is 0', () => {
    const vectors = [{ extra: [1, 0], weight: 0 }];
    const edits: Edit[] = [
      // A stage entry without a vector that may occur.
      [`${STAGES}/1`, { stages: 1, weight: 0, vectors }],
      // One of two vectors, and so many stages that one draw could not place eight rows in them.
      [`${STAGES}/2/vectors/1/weight`, 0],
      ['/policy/composition_weights', [32, 16, 8, 4, 2, 1, 1, 1]],
      [`${STAGES}/4`, { ...stages(10, [10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), weight: 0 }],
    ];
    expect(checkRows(sampleRowsGame('eldorado-mini', ...edits))).toEqual([]);
  });

  test('accept a symbol that pays for a full row alone', () => {
    const game = sampleRowsGame(
      'rows-plain',
      ['/stakes/0/pay_table/3', undefined],
      ['/stakes/0/tiers/2/prize_cents', 500],
    );
    expect(checkRows(game)).toEqual([]);
  });

  test('collect what is wrong with symbols, combinations and policy', () => {
    const game = sampleRowsGame(
      'rows-plain',
      ['/symbols/3', symbol('D')],
      ['/policy/composition_weights', [0]],
      [`${STAGES}/0/stages`, 1],
    );
    expect(checkRows(game).map(({ pointer }) => pointer)).toEqual([
      '/stakes/0/pay_table',
      '/policy/composition_weights',
      `${STAGES}/0/stages`,
      `${STAGES}/0/stages`,
      `${STAGES}/0/vectors/0/extra`,
    ]);
  });

  test('name every tier of a stake that lacks room, and only the first such stake', () => {
    const game = sampleRowsGame('eldorado-mini', ['/policy/composition_weights', [0, 1]]);
    const problems = checkRows(game);
    // Only two winning rows may occur, and these prizes are not the sum of two combinations.
    expect(problems.map(({ pointer }) => pointer)).toEqual([
      '/stakes/0/tiers/1/prize_cents',
      '/stakes/0/tiers/2/prize_cents',
      '/stakes/0/tiers/4/prize_cents',
      '/stakes/0/tiers/8/prize_cents',
      '/stakes/0/tiers/9/prize_cents',
    ]);
  });

  test.each([
    ['steps', 160, 1000],
    ['outcomes', 60, 200],
  ])('give up a pay table with too many ways (%s)', (_, mostCents, prizeCents) => {
    const codes = Array.from({ length: 26 }, (_item, index) => String.fromCharCode(65 + index));
    const lines = codes.flatMap((code, index) => [
      line(code, 4, mostCents - 2 * index),
      line(code, 3, mostCents - 2 * index - 1),
    ]);
    const tier = (offset: number): object => ({ count: 1, prize_cents: prizeCents - offset });
    const game = sampleRowsGame(
      'rows-plain',
      ['/grid/rows', 8],
      ['/symbols', codes.map((code) => symbol(code))],
      ['/stakes/0/pay_table', lines],
      ['/stakes/0/tiers', Array.from({ length: 60 }, (_, offset) => tier(offset))],
      ['/policy/composition_weights', new Array(prizeCents === 1000 ? 8 : 5).fill(1)],
    );
    expect(checkRows(game)).toEqual([
      {
        pointer: '/stakes/0/tiers',
        found: 'too many ways to add up the prizes',
        expected: 'at most 65535 compositions, each counted at each number of stages',
      },
    ]);
  });
});
