import { describe, expect, test } from '@jest/globals';
import { ticketClass } from '../../testing/ticket-orders.js';
import type { CountsEvidence } from './evidence.js';
import { measureGaps } from './measure-gaps.js';

describe('gaps', () => {
  const total = 3000;
  const positions = Array.from({ length: 600 }, (_, index) => 5 * index);
  const winning = ticketClass('winning', total, positions);
  const few = ticketClass('few', total, [7, 11]);
  const measured = measureGaps({ winning, top: few, all: [winning, few] });
  const gaps = measured.find(({ name }) => name === 'tickets winning: gaps')?.evidence;
  const [stratum] = (gaps as CountsEvidence).strata.values();

  test('are sorted by their length', () => {
    const observed = Array.from(stratum?.observed ?? []);
    // 601 gaps, counting those before the first and behind the last: 600 of 4, and one of none.
    expect(observed.reduce((sum, count) => sum + count)).toBe(601);
    expect(observed[0]).toBe(1);
    expect(observed[4]).toBe(600);
  });

  test('are expected by the law without replacement', () => {
    const expected = Array.from(stratum?.expected ?? []);
    // The chance of a gap of none, of one: taken first, others first and then taken.
    expect(expected[0]).toBeCloseTo((601 * 600) / 3000, 10);
    expect(expected[1]).toBeCloseTo((601 * 2400 * 600) / (3000 * 2999), 10);
    expect(expected.reduce((sum, count) => sum + count)).toBeCloseTo(601, 6);
    expect(Math.min(...expected)).toBeGreaterThan(19);
  });

  test('lose nearly a whole degree to their fixed sum', () => {
    expect(stratum?.constrained).toBeGreaterThan(0.9);
    expect(stratum?.constrained).toBeLessThan(1);
  });

  test('of small classes are left to their positions', () => {
    expect(measured.map(({ name }) => name)).toEqual([
      'longest losing streak',
      'tickets winning: gaps',
    ]);
  });

  test('between winning tickets tell the longest losing streak', () => {
    const { evidence } = measureGaps({ winning: few, top: few, all: [few] })[0] ?? {};
    expect(evidence).toEqual({
      kind: 'streak',
      longest: 2988,
      tickets: 3000,
      winners: 2,
      blocks: 1,
    });
  });
});
