import { describe, expect, test } from '@jest/globals';
import { checkDefinition } from '../definitions/check-definition.js';
import type { Definition } from '../definitions/definition.js';
import { findStake, loadDefinedGame, type DefinedGame } from '../definitions/load-game.js';
import { sampleDefinition } from '../testing/sample-definitions.js';
import { gameFacts, type GameFacts, type StakeFacts } from './game-facts.js';

function definedBy(definition: Definition): DefinedGame {
  const { game, problems } = checkDefinition(definition);
  if (game === undefined) throw new Error(JSON.stringify(problems));
  return { definition, game };
}

const ELDORADO = loadDefinedGame('eldorado');
const LAGON = loadDefinedGame('lagon-paradis');

/** The facts of a game at one stake only. */
function factsAt(defined: DefinedGame, stakeCents: number): GameFacts & { stake: StakeFacts } {
  const facts = gameFacts(defined, [findStake(defined.game, stakeCents)]);
  const [stake, ...others] = facts.stakes;
  if (stake === undefined || others.length > 0) throw new Error('not one stake');
  return { ...facts, stake };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

describe('the facts of Eldorado at one euro', () => {
  const { stake, blockTickets, sources } = factsAt(ELDORADO, 100);

  test('have the sums of the regulation', () => {
    expect([blockTickets, stake.winningTickets, stake.ticketsAboveStake]).toEqual([
      900_000, 151_157, 151_157,
    ]);
    expect([stake.salesCents, stake.prizesCents, stake.payOut]).toEqual([
      90_000_000, 63_000_000, 0.7,
    ]);
  });

  test('have the prize table with its odds and its parts of the prize money', () => {
    const rows = stake.tiers.map(({ prizeCents, tickets, totalCents, oneIn }) => [
      prizeCents,
      tickets,
      totalCents,
      oneIn,
    ]);
    expect(rows).toEqual([
      [1_000_000, 1, 1_000_000, 900_000],
      [500_000, 1, 500_000, 900_000],
      [100_000, 5, 500_000, 180_000],
      [10_000, 50, 500_000, 18_000],
      [5_000, 100, 500_000, 9_000],
      [1_500, 15_000, 22_500_000, 60],
      [1_000, 1_000, 1_000_000, 900],
      [500, 29_000, 14_500_000, 900 / 29],
      [300, 8_000, 2_400_000, 112.5],
      [200, 98_000, 19_600_000, 450 / 49],
    ]);
    expect(stake.tiers[5]?.shareOfPrizes).toBeCloseTo(22.5 / 63, 12);
    expect(sum(stake.tiers.map(({ shareOfPrizes }) => shareOfPrizes))).toBeCloseTo(1, 12);
  });

  test('have the 44 ways to win, tier by tier, highest first', () => {
    const ways = stake.tiers.map(({ compositions }) => compositions.length);
    expect(ways).toEqual([3, 2, 1, 8, 12, 9, 5, 2, 1, 1]);
    expect(stake.tiers[7]?.compositions.map(({ combination }) => combination)).toEqual([
      '4B',
      '5D+4D',
    ]);
  });

  test('expect of one row twice as many tickets as of two, where both have room at any stage', () => {
    const [one, two] = stake.tiers[7]?.compositions ?? [];
    expect(one?.expectedTickets).toBeCloseTo((29_000 * 2) / 3, 6);
    expect(two?.expectedTickets).toBeCloseTo(29_000 / 3, 6);
  });

  test('have the law of stages, the same win rate at each, and where the EXTRA symbols stand', () => {
    const rows = stake.features.map((share) => [share.feature, share.expectedTickets]);
    const expected = [
      [0, 765_000],
      [1, 108_000],
      [2, 22_500],
      [3, 4_500],
    ];
    expect(rows.map(([feature]) => feature)).toEqual(expected.map(([feature]) => feature));
    for (const [index, [, tickets = 0]] of expected.entries()) {
      const share = stake.features[index];
      expect(share?.expectedTickets).toBeCloseTo(tickets, 6);
      expect(share?.expectedWinningTickets).toBeCloseTo((tickets * 151_157) / 900_000, 6);
    }
    expect(stake.features.map(({ extraVectors }) => extraVectors?.length)).toEqual([1, 1, 2, 5]);
    expect(stake.features[2]?.extraVectors).toEqual([
      { extra: [1, 1, 0], share: 0.5 },
      { extra: [2, 0, 0], share: 0.5 },
    ]);
  });

  test('have the standard deviation of a prize', () => {
    // By hand, in euros: the sum of count times prize squared is 135,414,000; the mean is 0.70.
    expect(stake.volatility).toBeCloseTo(Math.sqrt(135_414_000 / 900_000 - 0.7 ** 2), 10);
  });

  test('name the articles of the regulation', () => {
    expect(sources).toMatchObject({
      blockTickets: { source: 'regulation', article: '2' },
      grid: { source: 'regulation', article: '4.1' },
      policy: { source: 'policy' },
    });
    expect(stake.sources).toMatchObject({
      tiers: { source: 'regulation', article: '3.2' },
      payTable: { source: 'regulation', article: '4.4' },
    });
  });
});

describe('the facts of Lagon Paradis', () => {
  test('count only those tickets as wins above the stake that pay more than their price', () => {
    const { stake } = factsAt(LAGON, 100);
    expect(stake.tiers.at(-1)).toMatchObject({ prizeCents: 100, tickets: 46_000 });
    expect([stake.winningTickets, stake.ticketsAboveStake]).toEqual([170_302, 124_302]);
  });

  test('have one way to each prize, and the counts of winning and of losing tickets', () => {
    const { stake } = factsAt(LAGON, 200);
    const ways = stake.tiers.map(({ compositions }) =>
      compositions.map(({ combination }) => combination),
    );
    expect(ways).toEqual([['10'], ['9'], ['8'], ['7'], ['6'], ['5'], ['4']]);
    const losing = stake.features.slice(0, 4);
    // 629,698 tickets lose, by the law 10, 25, 35, 30.
    for (const [index, weight] of [10, 25, 35, 30].entries()) {
      expect(losing[index]?.feature).toBe(index);
      expect(losing[index]?.expectedTickets).toBeCloseTo((629_698 * weight) / 100, 6);
      expect(losing[index]?.expectedWinningTickets).toBe(0);
    }
    const winning = stake.features.slice(4).map((share) => [share.feature, share.expectedTickets]);
    expect(winning).toEqual([
      [4, 46_000],
      [5, 99_000],
      [6, 14_100],
      [7, 11_000],
      [8, 200],
      [9, 1],
      [10, 1],
    ]);
    expect(stake.features.every(({ extraVectors }) => extraVectors === undefined)).toBe(true);
  });
});

describe.each([
  ['eldorado', ELDORADO],
  ['lagon-paradis', LAGON],
  ['eldorado-mini', definedBy(sampleDefinition('eldorado-mini'))],
  ['lagon-mini', definedBy(sampleDefinition('lagon-mini'))],
  ['rows-plain', definedBy(sampleDefinition('rows-plain'))],
  ['collect-bare', definedBy(sampleDefinition('collect-bare'))],
])('the facts of %s at every stake', (_, defined) => {
  const { stakes, blockTickets } = gameFacts(defined);

  test('are there', () => {
    expect(stakes.map(({ stakeCents }) => stakeCents)).toEqual(
      defined.definition.stakes.map(({ stake_cents }) => stake_cents),
    );
  });

  test('expect the tickets of each tier in its compositions, whose lines make the prize', () => {
    for (const { prizeCents, tickets, compositions } of stakes.flatMap(({ tiers }) => tiers)) {
      expect(sum(compositions.map((way) => way.expectedTickets))).toBeCloseTo(tickets, 6);
      for (const { lines } of compositions) {
        expect(sum(lines.map((line) => line.prizeCents))).toBe(prizeCents);
      }
    }
  });

  test('expect all tickets of the block and all that win in the features', () => {
    for (const { features, winningTickets } of stakes) {
      expect(sum(features.map((share) => share.expectedTickets))).toBeCloseTo(blockTickets, 5);
      const winning = sum(features.map((share) => share.expectedWinningTickets));
      expect(winning).toBeCloseTo(winningTickets, 5);
      for (const { extraVectors } of features) {
        if (extraVectors === undefined) continue;
        expect(sum(extraVectors.map(({ share }) => share))).toBeCloseTo(1, 12);
      }
    }
  });

  test('have the deviation that comes out of all prizes of a block, one by one', () => {
    for (const { tiers, stakeCents, volatility } of stakes) {
      // Welford's method, which shares no formula with the code.
      let [seen, mean, squares] = [0, 0, 0];
      const add = (prize: number, count: number): void => {
        for (let ticket = 0; ticket < count; ticket += 1) {
          seen += 1;
          const distance = prize - mean;
          mean += distance / seen;
          squares += distance * (prize - mean);
        }
      };
      for (const { prizeCents, tickets } of tiers) add(prizeCents, tickets);
      add(0, blockTickets - seen);
      expect(volatility).toBeCloseTo(Math.sqrt(squares / blockTickets) / stakeCents, 6);
    }
  });
});

describe('where a field comes from', () => {
  test('stays open where the fields within have sources of their own', () => {
    const definition = sampleDefinition('rows-plain');
    const sources = definition.sources.flatMap((source) =>
      source.pointer === '/symbols'
        ? [0, 1, 2].map((index) => ({ ...source, pointer: `/symbols/${index}` }))
        : [source],
    );
    const facts = gameFacts(definedBy({ ...definition, sources }));
    expect(facts.sources.symbols.map(({ pointer }) => pointer)).toEqual(
      facts.symbols.map((_, index) => `/symbols/${index}`),
    );
    expect(facts.sources.grid).toMatchObject({ source: 'policy' });
  });

  test('stays open for symbols whose parts have sources of their own', () => {
    const definition = sampleDefinition('rows-plain');
    const sources = definition.sources.flatMap((source) =>
      source.pointer === '/symbols'
        ? [0, 1, 2].flatMap((index) =>
            ['code', 'id', 'role'].map((key) => ({
              ...source,
              pointer: `/symbols/${index}/${key}`,
            })),
          )
        : [source],
    );
    expect(gameFacts(definedBy({ ...definition, sources })).sources.symbols).toEqual([]);
  });

  test('is for EXTRA another article than for the symbols that pay', () => {
    const { symbols, sources } = gameFacts(loadDefinedGame('eldorado'));
    const articles = sources.symbols.map((source) =>
      source.source === 'regulation' ? source.article : '',
    );
    expect(articles).toEqual(symbols.map(({ role }) => (role === 'trigger' ? '4.5' : '4.4')));
  });
});
