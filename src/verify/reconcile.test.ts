import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Game } from '../definitions/game.js';
import { planOutcomes } from '../definitions/mechanics.js';
import { sampleCollectGame, sampleRowsGame } from '../testing/sample-definitions.js';
import { FindingLog } from './finding.js';
import { reconcile } from './reconcile.js';
import type { Tally } from './tickets-judge.js';

/** What is held against counts; each as its code, what was expected and what was found. */
function held(game: Game, tallies: readonly Tally[], records = game.blockSize): string[] {
  const log = new FindingLog();
  reconcile({ game, stake: game.stakes[0]!, file: 'tickets.csv', records, tallies, log });
  for (const { place } of log.examples) expect(place).toEqual({ file: 'tickets.csv' });
  expect(log.total).toBe(log.examples.length);
  return log.examples.map(({ code, expected, found }) => `${code}: ${expected}; ${found}`);
}

/** Losing tickets of a collect game by their number of chosen symbols. */
function losing(...counts: readonly number[]): Tally[] {
  return counts.map((count, feature) => ({ prizeCents: 0, combination: '', feature, count }));
}

/** The winning tickets of a collect game, right to the ticket. */
function winning(game: Game): Tally[] {
  const stake = game.stakes[0]!;
  return stake.tiers.map(({ prizeCents, count }) => {
    const line = stake.payTable.find((candidate) => candidate.prizeCents === prizeCents)!;
    return { prizeCents, combination: String(line.count), feature: line.count, count };
  });
}

/** 6,295 losing tickets, by law 629.5, 1573.75, 2203.25 and 1888.5 of 0, 1, 2 and 3. */
const LAGON = sampleCollectGame('lagon-mini');

describe('the counts of a block', () => {
  test.each([
    [629, 1574, 2203, 1889],
    [630, 1573, 2204, 1888],
    [629, 1573, 2204, 1889],
    [630, 1574, 2203, 1888],
  ])('may each be the floor or the ceiling of their share: %d, %d, %d, %d', (...counts) => {
    expect(held(LAGON, [...winning(LAGON), ...losing(...counts)])).toEqual([]);
  });

  test.each([
    [[628, 1574, 2204, 1889], '629 or 630 tickets of 0.00 euros with 0 chosen symbols; 628'],
    [[631, 1573, 2203, 1888], '629 or 630 tickets of 0.00 euros with 0 chosen symbols; 631'],
    [[630, 1572, 2204, 1889], '1,573 or 1,574 tickets of 0.00 euros with 1 chosen symbol; 1,572'],
    [[629, 1575, 2203, 1888], '1,573 or 1,574 tickets of 0.00 euros with 1 chosen symbol; 1,575'],
    [[630, 1574, 2202, 1889], '2,203 or 2,204 tickets of 0.00 euros with 2 chosen symbols; 2,202'],
    [[629, 1573, 2203, 1890], '1,888 or 1,889 tickets of 0.00 euros with 3 chosen symbols; 1,890'],
  ])('may not be one less than the floor or one more than the ceiling: %j', (counts, words) => {
    expect(held(LAGON, [...winning(LAGON), ...losing(...counts)])).toEqual([
      `feature-quota: ${words}`,
    ]);
  });

  test('have only one right value where the share is whole', () => {
    const edits = [0, 1, 2, 3].map(
      (index) => [`/policy/losing_counts/${index}/weight`, [1, 1, 1, 2][index]] as const,
    );
    const game = sampleCollectGame('lagon-mini', ...edits);
    const right = [...winning(game), ...losing(1259, 1259, 1259, 2518)];
    expect(held(game, right)).toEqual([]);
    expect(held(game, [...winning(game), ...losing(1258, 1260, 1259, 2518)])).toEqual([
      'feature-quota: 1,259 tickets of 0.00 euros with 0 chosen symbols; 1,258',
      'feature-quota: 1,259 tickets of 0.00 euros with 1 chosen symbol; 1,260',
    ]);
  });

  test('must be exact in every tier and in all', () => {
    const [first, second, ...rest] = winning(LAGON);
    const tallies = [{ ...first!, count: 2 }, { ...second!, count: 0 }, ...rest];
    const right = losing(629, 1574, 2203, 1889);
    expect(held(LAGON, [...tallies, ...right])).toEqual([
      'tier-count: 1 tickets of 2,500.00 euros; 2',
      'tier-count: 1 tickets of 250.00 euros; 0',
      'prize-total: prizes of 5,522.50 euros in all; 7,772.50',
      'feature-quota: 1 tickets of 2,500.00 euros with 10 chosen symbols; 2',
      'feature-quota: 1 tickets of 250.00 euros with 9 chosen symbols; 0',
    ]);
  });

  test('must be those of a whole block', () => {
    const tallies = [...winning(LAGON), ...losing(629, 1574, 2203, 1889)];
    expect(held(LAGON, tallies, 8001)).toEqual(['ticket-count: 8,000 tickets; 8,001']);
    expect(held(LAGON, tallies, 0)).toEqual(['ticket-count: 8,000 tickets; 0']);
  });

  test('of a block without tickets are all wrong, and are all said', () => {
    const log = new FindingLog();
    const stake = LAGON.stakes[0]!;
    reconcile({ game: LAGON, stake, file: 'tickets.csv', records: 0, tallies: [], log });
    expect(Object.fromEntries(log.counts)).toEqual({
      'ticket-count': 1,
      'tier-count': 7,
      'prize-total': 1,
      'feature-quota': 7 + 4,
    });
  });

  test('that no law has do not count for those that it has', () => {
    const tallies = [...winning(LAGON), ...losing(629, 1574, 2203, 1888)];
    const stray = { prizeCents: 0, combination: '', feature: 11, count: 1 };
    expect(held(LAGON, [...tallies, stray])).toEqual([]);
    const twoTimes = { prizeCents: 100, combination: '4+4', feature: 4, count: 1 };
    expect(held(LAGON, [...tallies, twoTimes])).toEqual([
      'tier-count: 990 tickets of 1.00 euros; 991',
      'prize-total: prizes of 5,522.50 euros in all; 5,523.50',
    ]);
  });

  test('are held to the law of compositions within each tier and number of stages', () => {
    const game = sampleRowsGame('rows-plain');
    const { law } = planOutcomes(game, game.stakes[0]!);
    const counts = new Map([
      // One winning row weighs 2 and two weigh 1.
      ['4A', 2],
      ['3A', 7],
      ['4B+4B', 3],
      ['3B+3B', 10],
      ['4B+3C', 10],
      ['4C', 40],
      ['3C+3C', 20],
      ['3C', 80],
      ['', 828],
    ]);
    const tallies = law.flatMap(({ prizeCents, features }) =>
      features.flatMap(({ outcomes }) =>
        outcomes.map(({ outcome: { combination, feature } }) => ({
          prizeCents,
          combination,
          feature,
          count: counts.get(combination)!,
        })),
      ),
    );
    expect(held(game, tallies)).toEqual([]);
    const skewed = tallies.map((tally) => ({
      ...tally,
      count:
        tally.count +
        (tally.combination === '4C' ? 1 : 0) -
        (tally.combination === '3C+3C' ? 1 : 0),
    }));
    expect(held(game, skewed)).toEqual([
      'composition-quota: 40 tickets of 2.00 euros with 0 EXTRA stages by "4C"; 41',
      'composition-quota: 20 tickets of 2.00 euros with 0 EXTRA stages by "3C+3C"; 19',
    ]);
  });

  test('have bounds that are exact for all block sizes and weights that a definition may have', () => {
    const weight = fc.integer({ min: 1, max: 1_000_000 });
    const law = fc.tuple(weight, weight, weight, weight);
    fc.assert(
      fc.property(fc.integer({ min: 1705, max: 100_000_000 }), law, (blockSize, weights) => {
        const edits = weights.map(
          (value, index) => [`/policy/losing_counts/${index}/weight`, value] as const,
        );
        const game = { ...sampleCollectGame('lagon-mini', ...edits), blockSize };
        const whole = BigInt(blockSize - 1705);
        const total = weights.reduce((sum, value) => sum + BigInt(value), 0n);
        const floors = weights.map((value) => Number((whole * BigInt(value)) / total));
        const ceilings = weights.map((value) =>
          Number((whole * BigInt(value) + total - 1n) / total),
        );
        for (const right of [floors, ceilings]) {
          expect(held(game, [...winning(game), ...losing(...right)])).toEqual([]);
        }
        const low = held(game, [...winning(game), ...losing(...floors.map((count) => count - 1))]);
        const high = held(game, [
          ...winning(game),
          ...losing(...ceilings.map((count) => count + 1)),
        ]);
        expect([low.length, high.length]).toEqual([4, 4]);
      }),
    );
  });
});
