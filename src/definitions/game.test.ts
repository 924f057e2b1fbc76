import { describe, expect, test } from '@jest/globals';
import { sampleDefinition, sampleRowsGame } from '../testing/sample-definitions.js';
import { symbolCodes, toGame } from './game.js';

describe('a game made from its definition', () => {
  test('restates all of a rows definition', () => {
    const definition = sampleDefinition('rows-plain');
    expect(toGame(definition, 'the hash')).toEqual({
      id: 'rows-plain',
      name: 'Rows plain',
      definitionSha256: 'the hash',
      blockSize: 1000,
      mechanic: 'rows',
      grid: { rows: 2, columns: 4 },
      symbols: [
        { code: 'A', id: 'apple', role: 'pay' },
        { code: 'B', id: 'banana', role: 'pay' },
        { code: 'C', id: 'cherry', role: 'pay' },
      ],
      stakes: [
        {
          stakeCents: 100,
          tiers: [
            { prizeCents: 4000, count: 2 },
            { prizeCents: 1000, count: 10 },
            { prizeCents: 600, count: 20 },
            { prizeCents: 200, count: 60 },
            { prizeCents: 100, count: 80 },
          ],
          payTable: [
            { symbol: 'A', count: 4, prizeCents: 4000 },
            { symbol: 'A', count: 3, prizeCents: 1000 },
            { symbol: 'B', count: 4, prizeCents: 500 },
            { symbol: 'B', count: 3, prizeCents: 300 },
            { symbol: 'C', count: 4, prizeCents: 200 },
            { symbol: 'C', count: 3, prizeCents: 100 },
          ],
        },
      ],
      policy: {
        extraStages: [{ stages: 0, weight: 1, vectors: [{ extra: [0], weight: 1 }] }],
        compositionWeights: [2, 1],
      },
    });
  });

  test("restates a collect definition's policy, and its pay table without symbols", () => {
    const game = toGame(sampleDefinition('collect-bare'), 'the hash');
    expect(game.mechanic).toBe('collect');
    expect(game.policy).toEqual({
      losingCounts: [
        { chosen: 0, weight: 1 },
        { chosen: 1, weight: 2 },
        { chosen: 2, weight: 3 },
        { chosen: 3, weight: 2 },
      ],
      unchosenCap: null,
      neutralCap: null,
    });
    expect(game.stakes[0]?.payTable[0]).toEqual({
      symbol: undefined,
      count: 8,
      prizeCents: 10_000,
    });
  });

  test('has its pay table by amount, equal amounts in the order of the definition', () => {
    const game = sampleRowsGame(
      'rows-plain',
      ['/stakes/0/pay_table/2/prize_cents', 100],
      ['/stakes/0/pay_table/5/prize_cents', 5000],
      ['/stakes/0/pay_table/0/prize_cents', 100],
    );
    const lines = game.stakes[0]?.payTable.map(({ symbol, count }) => `${count}${symbol ?? ''}`);
    expect(lines).toEqual(['3C', '3A', '3B', '4C', '4A', '4B']);
  });
});

test('the codes of a role stand in the order of the definition', () => {
  const game = toGame(sampleDefinition('lagon-mini'), 'the hash');
  expect(symbolCodes(game, 'play')).toEqual(['T', 'P', 'H']);
  expect(symbolCodes(game, 'neutral')).toEqual(['C', 'E', 'N', 'V']);
  expect(symbolCodes(game, 'trigger')).toEqual([]);
});
