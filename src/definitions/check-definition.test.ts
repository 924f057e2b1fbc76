import { describe, expect, test } from '@jest/globals';
import { sampleDefinition, type Edit } from '../testing/sample-definitions.js';
import { checkDefinition } from './check-definition.js';
import { hashDefinition } from './definition-hash.js';
import { toGame } from './game.js';

const SAMPLES = ['eldorado-mini', 'lagon-mini', 'collect-bare', 'rows-plain'] as const;

describe('a right definition', () => {
  test.each(SAMPLES)('becomes a game: %s', (name) => {
    const definition = sampleDefinition(name);
    const game = toGame(definition, hashDefinition(definition));
    expect(checkDefinition(definition)).toEqual({ problems: [], definition, game });
  });

  test('may name its symbols in any script', () => {
    const names: Edit[] = [
      ['/symbols/0/id', 'étoile de mer'],
      ['/symbols/1/id', 'ヤシの実'],
      ['/symbols/2/id', 'demi-lune 2'],
      ['/name', 'Île « Paradis » n° 1'],
    ];
    expect(checkDefinition(sampleDefinition('rows-plain', ...names)).problems).toEqual([]);
  });

  test('may win with every ticket', () => {
    const definition = sampleDefinition('rows-plain', ['/block_size', 172]);
    expect(checkDefinition(definition).problems).toEqual([]);
  });
});

type Found = readonly [pointer: string, found: string, expected: string];

/** Changes of the sample with two rows of four, each with exactly the problem that it makes. */
const CASES: readonly (readonly [string, readonly Edit[], Found])[] = [
  [
    'a total that is not its product',
    [['/stakes/0/tiers/1/total_cents', 10_001]],
    ['/stakes/0/tiers/1/total_cents', '10001', '10000, which is 10 times 1000'],
  ],
  [
    'a wrong declared number of winning tickets',
    [['/stakes/0/declared/winning_tickets', 173]],
    ['/stakes/0/declared/winning_tickets', '173', '172, the sum of the counts'],
  ],
  [
    'a wrong declared sum of prizes',
    [['/stakes/0/declared/prizes_cents', 49_999]],
    ['/stakes/0/declared/prizes_cents', '49999', '50000, the sum of the prizes'],
  ],
  [
    'more winning tickets than tickets',
    [['/block_size', 171]],
    ['/stakes/0/tiers', '172 winning tickets', 'at most the 171 tickets of a block'],
  ],
  [
    'a tier that is not below the one above',
    [
      ['/stakes/0/tiers/3/prize_cents', 600],
      ['/stakes/0/tiers/3/total_cents', 36_000],
      ['/stakes/0/declared/prizes_cents', 74_000],
    ],
    ['/stakes/0/tiers/3/prize_cents', '600', 'less than 600, the prize in the line above'],
  ],
  [
    'two symbols of one code',
    [['/symbols/2/code', 'A']],
    ['/symbols/2/code', 'A', 'another value than at /symbols/0/code'],
  ],
  [
    'two symbols whose names differ in case alone',
    [['/symbols/2/id', 'Apple']],
    ['/symbols/2/id', 'apple', 'another value than at /symbols/0/id'],
  ],
  [
    'two symbols whose names differ in width alone',
    [['/symbols/2/id', 'ａｐｐｌｅ']],
    ['/symbols/2/id', 'apple', 'another value than at /symbols/0/id'],
  ],
  [
    'a game name with a separate accent',
    [['/name', 'E\u0301toile']],
    ['/name', '"E\u0301toile"', '"Étoile" in Unicode\'s normal form C'],
  ],
  [
    'a symbol name with a letter that stands for another',
    [['/symbols/0/id', '\u212bngstrom']],
    ['/symbols/0/id', '"\u212bngstrom"', '"Ångstrom" in Unicode\'s normal form C'],
  ],
  [
    'a combination twice in its pay table',
    [['/stakes/0/pay_table/5/count', 4]],
    ['/stakes/0/pay_table/5', '4C', 'another value than at /stakes/0/pay_table/4'],
  ],
  [
    'a source of a field that is not there',
    [['/sources/11', { pointer: '/block_size/0', source: 'policy', note: 'no such field' }]],
    ['/sources/11/pointer', '"/block_size/0"', 'the pointer of a field of this definition'],
  ],
  [
    'a source of a list index that is written in another way',
    [['/sources/11', { pointer: '/symbols/00', source: 'policy', note: 'no such field' }]],
    ['/sources/11/pointer', '"/symbols/00"', 'the pointer of a field of this definition'],
  ],
  [
    'two sources of one field',
    [['/sources/11', { pointer: '/id', source: 'regulation', article: '1' }]],
    ['/sources/11/pointer', '/id', 'another value than at /sources/1/pointer'],
  ],
  [
    'a field without a source',
    [['/sources/4', undefined]],
    ['/block_size', 'no source', 'an entry of /sources for this field or for one around it'],
  ],
  [
    'a field inside others without a source',
    [['/sources/6/pointer', '/grid/rows']],
    ['/grid/columns', 'no source', 'an entry of /sources for this field or for one around it'],
  ],
  [
    'what its mechanic refuses',
    [['/policy/composition_weights', [0, 0]]],
    ['/policy/composition_weights', 'a sum of weights of 0', 'at least one positive weight'],
  ],
];

/** Changes of the sample with three stakes, each with exactly the problem that it makes. */
const STAKE_CASES: readonly (readonly [string, readonly Edit[], Found])[] = [
  [
    'two stakes of one price',
    [['/stakes/2/stake_cents', 50]],
    ['/stakes/2/stake_cents', '50', 'another value than at /stakes/0/stake_cents'],
  ],
  [
    'pay tables with different combinations',
    [['/stakes/1/pay_table/9/count', 3]],
    ['/stakes/1/pay_table/9', '3D', '4D, as at /stakes/0/pay_table/9'],
  ],
  [
    'a pay table with a combination less',
    [['/stakes/1/pay_table/9', undefined]],
    ['/stakes/1/pay_table/9', 'nothing', '4D, as at /stakes/0/pay_table/9'],
  ],
  [
    'a pay table with a combination more',
    [['/stakes/1/pay_table/10', { symbol: 'D', count: 3, prize_cents: 10 }]],
    ['/stakes/1/pay_table/10', '3D', 'nothing, as at /stakes/0/pay_table/10'],
  ],
];

describe('a wrong definition', () => {
  const all = [
    ...CASES.map((row) => ['rows-plain', ...row] as const),
    ...STAKE_CASES.map((row) => ['eldorado-mini', ...row] as const),
  ];

  test.each(all)('made from %s has %s', (name, _, edits, [pointer, found, expected]) => {
    expect(checkDefinition(sampleDefinition(name, ...edits))).toEqual({
      problems: [{ pointer, found, expected }],
      definition: undefined,
      game: undefined,
    });
  });

  test('has sums beyond 2^53 worked out exactly', () => {
    const declared = { winning_tickets: 9_007_201, prizes_cents: 9_007_199_254_740_991 };
    const definition = sampleDefinition(
      'rows-plain',
      ['/block_size', 100_000_000],
      ['/stakes/0/tiers', [{ count: 9_007_201, prize_cents: 1e9 + 1, total_cents: 2 ** 53 - 1 }]],
      ['/stakes/0/declared', declared],
    );
    expect(checkDefinition(definition).problems).toEqual([
      {
        pointer: '/stakes/0/tiers/0/total_cents',
        found: '9007199254740991',
        expected: '9007201009007201, which is 9007201 times 1000000001',
      },
      {
        pointer: '/stakes/0/declared/prizes_cents',
        found: '9007199254740991',
        expected: '9007201009007201, the sum of the prizes',
      },
    ]);
  });

  test('is not looked into further once its form is wrong', () => {
    const definition = sampleDefinition('rows-plain', ['/block_size', 0], ['/symbols/2/code', 'A']);
    const pointers = checkDefinition(definition).problems.map(({ pointer }) => pointer);
    expect(pointers).toEqual(['/block_size']);
  });

  test('has the problems of its names, tables and sources collected', () => {
    const definition = sampleDefinition(
      'rows-plain',
      ['/symbols/2/code', 'A'],
      ['/stakes/0/tiers/1/total_cents', 10_001],
      ['/sources/0', undefined],
    );
    const pointers = checkDefinition(definition).problems.map(({ pointer }) => pointer);
    expect(pointers).toEqual(['/symbols/2/code', '/stakes/0/tiers/1/total_cents', '/format']);
  });

  test.each([
    ['a list of a million numbers', new Array(1_000_000).fill(0)],
    ['lists in lists', new Array(200).fill(new Array(200).fill(0))],
  ])('may hold too many values to be looked at: %s', (_, value) => {
    expect(checkDefinition(value).problems).toEqual([
      {
        pointer: '',
        found: 'more than 20000 values',
        expected: 'a game definition, which is smaller',
      },
    ]);
  });
});
