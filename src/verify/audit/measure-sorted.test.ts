import { describe, expect, test } from '@jest/globals';
import { momentsOf } from '../../testing/ticket-orders.js';
import type { Outcome } from '../../definitions/outcome-law.js';
import { measureSorted } from './measure-sorted.js';

/** Outcomes of these prizes, all else the same. */
function outcomesOf(...prizes: number[]): readonly Outcome[] {
  return prizes.map((prizeCents) => ({
    prizeCents,
    combination: String(prizeCents),
    feature: 0,
    composition: [],
    gridCount: 1,
  }));
}

/** Every different order of some outcome indexes. */
function ordersOf(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length === 0) return [[]];
  return [...new Set(items)].flatMap((item) => {
    const rest = items.toSpliced(items.indexOf(item), 1);
    return ordersOf(rest).map((order) => [item, ...order]);
  });
}

describe('winning tickets in their place of the list', () => {
  const outcomes = outcomesOf(500, 200, 0);

  test('have the exact mean and variance over all orders', () => {
    const evidence = ordersOf([0, 1, 1, 1, 2, 2, 2, 2, 2]).map((order) => {
      const [down] = measureSorted({ outcomes, outcomeOf: Uint16Array.from(order) });
      if (down?.evidence.kind !== 'events') throw new Error('events are measured');
      return down.evidence;
    });
    const { mean, variance } = momentsOf(evidence.map(({ count }) => count));
    expect(evidence[0]?.mean).toBeCloseTo(mean, 10);
    expect(evidence[0]?.variance).toBeCloseTo(variance, 10);
  });

  test('are counted from the highest prize down and from the lowest up', () => {
    const counts = (...order: number[]): readonly unknown[] =>
      measureSorted({ outcomes, outcomeOf: Uint16Array.from(order) }).map(({ evidence }) =>
        evidence.kind === 'events' ? evidence.count : undefined,
      );
    expect(counts(0, 1, 1, 2, 2, 2)).toEqual([3, 0]);
    expect(counts(2, 2, 2, 1, 1, 0)).toEqual([0, 3]);
    expect(counts(1, 0, 1, 2, 2, 2)).toEqual([1, 0]);
  });
});
