import { describe, expect, test } from '@jest/globals';
import { sampleCollectGame, type Edit } from '../../testing/sample-definitions.js';
import { checkCollect } from './rules-check.js';

type Found = readonly [pointer: string, found: string, expected: string];

const PAY_TABLE = '/stakes/0/pay_table';
const LOSING = '/policy/losing_counts';

function play(code: string): object {
  return { code, id: code.toLowerCase(), role: 'play' };
}

/** Changes of the sample without neutral symbols, and exactly the problems that they make. */
const CASES: readonly (readonly [string, readonly Edit[], readonly Found[]])[] = [
  [
    'one play symbol',
    [['/symbols', [play('A'), { code: 'N', id: 'n', role: 'neutral' }]]],
    [['/symbols', '1 play symbols', '2 to 6 to choose from']],
  ],
  [
    'seven play symbols',
    [['/symbols', ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map(play)]],
    [['/symbols', '7 play symbols', '2 to 6 to choose from']],
  ],
  [
    'a grid of too many cells',
    [
      ['/grid/rows', 5],
      ['/grid/columns', 7],
    ],
    [['/grid', 'a grid of 35 cells', 'at most 32 cells']],
  ],
  [
    'a gap between the counts that pay',
    [[`${PAY_TABLE}/0/count`, 9]],
    [
      [
        PAY_TABLE,
        '7 and 9 without between',
        'every count from the smallest that pays up to the largest',
      ],
    ],
  ],
  [
    'an amount for two counts',
    [[`${PAY_TABLE}/5`, { count: 9, prize_cents: 2000 }]],
    [[PAY_TABLE, '2000 for 7 and for 9', 'another amount for each count']],
  ],
  [
    'a tier that no count pays',
    [['/stakes/0/tiers/2/prize_cents', 600]],
    [['/stakes/0/tiers/2/prize_cents', '600', 'an amount of /stakes/0/pay_table']],
  ],
  [
    'losing weights that are all 0',
    [[LOSING, [{ chosen: 0, weight: 0 }]]],
    [[LOSING, 'a sum of weights of 0', 'at least one positive weight']],
  ],
  [
    'losing weights with too large a sum',
    [[`${LOSING}/0/weight`, 999_994]],
    [[LOSING, 'a sum of weights of 1000001', 'a sum of weights of at most 1000000']],
  ],
  [
    'a losing count twice',
    [[`${LOSING}/1/chosen`, 2]],
    [[`${LOSING}/2/chosen`, '2', 'more than 2, the value before it']],
  ],
  [
    'losing counts out of order',
    [[`${LOSING}/0/chosen`, 2]],
    [[`${LOSING}/1/chosen`, '1', 'more than 2, the value before it']],
  ],
  [
    'a losing count that pays',
    [[`${LOSING}/4`, { chosen: 4, weight: 1 }]],
    [[`${LOSING}/4/chosen`, '4', 'less than 4, the smallest count that pays']],
  ],
  [
    'a losing count that pays, though its weight is 0',
    [[`${LOSING}/4`, { chosen: 4, weight: 0 }]],
    [[`${LOSING}/4/chosen`, '4', 'less than 4, the smallest count that pays']],
  ],
  [
    'more chosen symbols than cells',
    [
      ['/grid/rows', 1],
      ['/grid/columns', 7],
    ],
    [[PAY_TABLE, '8', 'at most 7, the cells of a grid']],
  ],
  [
    'a cap too narrow for the losing tickets',
    [['/policy/unchosen_cap', 7]],
    [
      [
        '/policy/unchosen_cap',
        '7: with 0 chosen the caps leave room for 2×7 = 14 of 18 other cells',
        'room for all of them; raise unchosen_cap',
      ],
    ],
  ],
  [
    'caps too narrow for a losing count, that of neutral symbols included',
    [
      ['/symbols/3', { code: 'N', id: 'n', role: 'neutral' }],
      ['/policy/unchosen_cap', 3],
      ['/policy/neutral_cap', 8],
      [LOSING, [{ chosen: 3, weight: 1 }]],
    ],
    [
      [
        '/policy/unchosen_cap',
        '3: with 3 chosen the caps leave room for 2×3 + 1×8 = 14 of 15 other cells',
        'room for all of them; raise unchosen_cap or neutral_cap',
      ],
    ],
  ],
];

describe('the rules of the collect mechanic', () => {
  test.each(['lagon-mini', 'collect-bare'] as const)('accept the sample %s', (name) => {
    expect(checkCollect(sampleCollectGame(name))).toEqual([]);
  });

  test.each(CASES)('refuse %s', (_, edits, found) => {
    expect(checkCollect(sampleCollectGame('collect-bare', ...edits))).toEqual(
      found.map(([pointer, found, expected]) => ({ pointer, found, expected })),
    );
  });

  test('accept a losing count without a grid if its weight is 0', () => {
    const edits: Edit[] = [
      ['/policy/unchosen_cap', 7],
      [LOSING, [{ chosen: 0, weight: 0 }]],
      [`${LOSING}/1`, { chosen: 3, weight: 1 }],
      ['/symbols/3', { code: 'N', id: 'n', role: 'neutral' }],
      ['/policy/neutral_cap', 1],
    ];
    expect(checkCollect(sampleCollectGame('collect-bare', ...edits))).toEqual([]);
  });

  test('accept a count that pays what no tier has, and amounts that fall with the count', () => {
    const edits: Edit[] = [
      [`${PAY_TABLE}/0/count`, 4],
      [`${PAY_TABLE}/4/count`, 8],
      [`${PAY_TABLE}/5`, { count: 9, prize_cents: 50 }],
    ];
    expect(checkCollect(sampleCollectGame('collect-bare', ...edits))).toEqual([]);
  });

  test('look at the amounts of every stake', () => {
    const game = sampleCollectGame('lagon-mini', ['/stakes/2/tiers/6/prize_cents', 210]);
    expect(checkCollect(game)).toEqual([
      {
        pointer: '/stakes/2/tiers/6/prize_cents',
        found: '210',
        expected: 'an amount of /stakes/2/pay_table',
      },
    ]);
  });
});
