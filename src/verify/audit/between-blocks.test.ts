import { describe, expect, test } from '@jest/globals';
import { binomial } from '../../core/binomial.js';
import { momentsOf, ordersOf, ticketClass } from '../../testing/ticket-orders.js';
import { measureBetween } from './between-blocks.js';
import { bitCount } from './bit-count.js';
import { loadDistributions } from './distributions.js';
import { measureBorders } from './measure-borders.js';
import type { MeasuredBlock } from './measure-block.js';
import { traceWinners } from './winner-trace.js';

const laws = await loadDistributions();

/** The chance that 12 of 40 places and 12 others have so many in common. */
function hypergeometric(common: number): number {
  return Number(binomial(12, common) * binomial(28, 12 - common)) / Number(binomial(40, 12));
}

function block(total: number, positions: readonly number[]): MeasuredBlock {
  return {
    measurements: [],
    trace: traceWinners(ticketClass('winning', total, positions)),
    sample: { keys: new Float64Array(0), rests: new Uint32Array(0) },
    classes: [],
  };
}

test('the bits of a word are counted', () => {
  expect([0, 1, -1, 0x80000001, 0x0f0f0f0f].map(bitCount)).toEqual([0, 1, 32, 2, 16]);
});

describe('places that win in two blocks', () => {
  const fixed = [0, 1, 2, 3];
  const overlaps = ordersOf(10, 4).map((order) => {
    const [all] = measureBetween([block(10, fixed), block(10, order)], laws);
    if (all?.evidence.kind !== 'events') throw new Error('events are measured');
    return all.evidence;
  });

  test('have their exact mean and variance over all orders', () => {
    const { mean, variance } = momentsOf(overlaps.map(({ count }) => count));
    expect(overlaps[0]?.mean).toBeCloseTo(mean, 10);
    expect(overlaps[0]?.variance).toBeCloseTo(variance, 10);
  });

  test('alarm where two blocks of many are the same', () => {
    const spread = (step: number): readonly number[] =>
      Array.from({ length: 150 }, (_, index) => (index * step + step) % 1009);
    const blocks = [7, 11, 13, 7].map((step) =>
      block(
        1009,
        spread(step).toSorted((a, b) => a - b),
      ),
    );
    const [, most] = measureBetween(blocks, laws);
    if (most?.evidence.kind !== 'exact') throw new Error('the tails are known');
    expect(most.evidence.count).toBe(150);
    expect(most.evidence.tails.above).toBeLessThan(1e-50);
  });

  test('alarm where two blocks of many avoid each other', () => {
    const every = (start: number, step: number): MeasuredBlock =>
      block(
        1000,
        Array.from({ length: 200 }, (_, index) => start + index * step),
      );
    const [, most] = measureBetween([every(0, 5), every(0, 4), every(1, 5)], laws);
    if (most?.evidence.kind !== 'exact') throw new Error('the tails are known');
    expect(most.evidence).toMatchObject({ count: 0, mean: 40 });
    expect(most.evidence.tails.below).toBeLessThan(1e-9);
    expect(most.evidence.tails.above).toBe(1);
  });

  test('have tails close to the exact ones, and not below them', () => {
    // Of 40 places 12 win in each block: hypergeometric.
    const first = Array.from({ length: 12 }, (_, index) => index);
    for (const common of [0, 1, 2, 6, 8]) {
      const second = [...first.slice(0, common), ...first.slice(common).map((at) => at + 15)];
      const [, most] = measureBetween([block(40, first), block(40, second)], laws);
      if (most?.evidence.kind !== 'exact') throw new Error('the tails are known');
      const chances = Array.from({ length: 13 }, (_, count) => hypergeometric(count));
      const exact = {
        below: chances.slice(0, common + 1).reduce((sum, chance) => sum + chance),
        above: chances.slice(common).reduce((sum, chance) => sum + chance),
      };
      const side = exact.below < exact.above ? 'below' : 'above';
      expect(most.evidence.tails[side] / exact[side]).toBeGreaterThan(0.9);
      expect(most.evidence.tails[side] / exact[side]).toBeLessThan(3);
    }
  });

  test('tell nothing where all tickets win', () => {
    const all = block(5, [0, 1, 2, 3, 4]);
    const [, most] = measureBetween([all, all], laws);
    expect(most?.evidence).toMatchObject({ tails: { below: 1, above: 1 } });
  });
});

describe('winning pairs across a border', () => {
  test('have their exact law over all orders of the next block', () => {
    const tickets = 45;
    const last = block(tickets, [25, 30, 44]).trace;
    const law = new Map<number, number>();
    const orders = ordersOf(tickets, 2);
    for (const order of orders) {
      const { evidence } = measureBorders([last, block(tickets, order).trace]);
      if (evidence.kind !== 'exact') throw new Error('the tails are known');
      law.set(evidence.count, (law.get(evidence.count) ?? 0) + 1);
    }
    // What a block's own end says of its beginning is weighed in each case; on average it is the law.
    const mean = [...law].reduce((sum, [count, times]) => sum + count * times, 0) / orders.length;
    const expected =
      orders.reduce((sum, order) => {
        const { evidence } = measureBorders([last, block(tickets, order).trace]);
        return sum + (evidence.kind === 'exact' ? evidence.mean : 0);
      }, 0) / orders.length;
    expect(expected).toBeCloseTo(mean, 10);
  });

  test('are counted up to lag 20, with tails that add up', () => {
    const last = block(60, [45, 59]).trace;
    const next = block(60, [0, 5, 19]).trace;
    const { evidence } = measureBorders([last, next]);
    if (evidence.kind !== 'exact') throw new Error('the tails are known');
    // Of 59: 0, 5 and 19 are 1, 6 and 20 behind. Of 45: 0 and 5 are 15 and 20 behind.
    expect(evidence.count).toBe(5);
    const { below, above } = evidence.tails;
    expect(below).toBeGreaterThan(0.99);
    expect(above).toBeLessThan(0.1);
    expect(below + above).toBeGreaterThan(1);
  });

  test('of a single block are none', () => {
    const { evidence } = measureBorders([block(60, [59]).trace]);
    expect(evidence).toMatchObject({ count: 0, mean: 0, tails: { below: 1, above: 1 } });
  });
});
