import { describe, expect, test } from '@jest/globals';
import { ticketClass } from '../../testing/ticket-orders.js';
import type { CountsEvidence, Measurement } from './evidence.js';
import { measureOrder } from './measure-order.js';
import type { TicketClasses } from './ticket-classes.js';

function classes(total: number, positions: readonly number[]): TicketClasses {
  const winning = ticketClass('winning', total, positions);
  const top = ticketClass('top', total, positions.slice(0, 2));
  return { winning, top, all: [winning, top] };
}

function find(measurements: readonly Measurement[], name: string): Measurement['evidence'] {
  const found = measurements.find((measurement) => measurement.name === name);
  if (found === undefined) throw new Error(`there is no test "${name}"`);
  return found.evidence;
}

function stratumOf(evidence: Measurement['evidence']) {
  const [stratum] = (evidence as CountsEvidence).strata.values();
  return {
    observed: Array.from(stratum?.observed ?? []),
    expected: Array.from(stratum?.expected ?? []),
    sizes: Array.from(stratum?.sizes ?? []),
  };
}

describe('the order of a class', () => {
  /** 300 winning tickets of 1005: every third one, from the tenth on. */
  const positions = Array.from({ length: 300 }, (_, index) => 9 + 3 * index);
  const measured = measureOrder(classes(1005, positions));

  test('is counted in slices that share the block out', () => {
    const { observed, expected, sizes } = stratumOf(find(measured, 'tickets winning: 10 slices'));
    expect(sizes).toEqual([100, 101, 100, 101, 100, 101, 100, 101, 100, 101]);
    expect(observed.reduce((sum, count) => sum + count)).toBe(300);
    expect(observed[0]).toBe(positions.filter((position) => position < 100).length);
    expect(observed[1]).toBe(
      positions.filter((position) => position >= 100 && position < 201).length,
    );
    expect(expected[0]).toBeCloseTo((300 * 100) / 1005, 12);
  });

  test('is only counted in slices that are large enough', () => {
    expect(measured.some(({ name }) => name === 'tickets winning: 90 slices')).toBe(false);
    expect(measured.some(({ name }) => name === 'tickets top: 10 slices')).toBe(false);
  });

  test('is counted by ticket numbers', () => {
    const seven = stratumOf(find(measured, 'tickets winning: number modulo 7'));
    expect(seven.sizes).toEqual([144, 144, 144, 144, 143, 143, 143]);
    const two = stratumOf(find(measured, 'tickets winning: number modulo 2'));
    expect(two.observed).toEqual([150, 150]);
  });

  test('drifts by its largest distance from even growth', () => {
    const evidence = find(measured, 'tickets winning: drift');
    const share = 300 / 1005;
    const path = Array.from({ length: 1006 }, (_, count) => {
      const taken = positions.filter((position) => position < count).length;
      return Math.abs(taken - share * count);
    });
    const unit = Math.sqrt((1005 * share * (1 - share) * 1005) / 1004);
    const distance = Math.max(...path) / unit + 0.5826 / Math.sqrt(1005);
    expect(evidence).toMatchObject({ kind: 'bridge' });
    expect(evidence.kind === 'bridge' ? evidence.distance : 0).toBeCloseTo(distance, 10);
  });

  test('of few tickets is where they are', () => {
    expect(find(measured, 'tickets top: drift')).toEqual({
      kind: 'positions',
      positions: Float64Array.of(9.5 / 1005, 12.5 / 1005),
    });
  });

  test('of top tiers is counted in the first part of the block', () => {
    expect(find(measured, 'tickets top: in the first 1 %')).toEqual({
      kind: 'binomial',
      successes: 1,
      trials: 2,
      probability: 10 / 1005,
    });
    expect(find(measured, 'tickets top: in the first 10 %')).toMatchObject({ successes: 2 });
  });

  test('of no ticket, or of all, does not drift', () => {
    const all = Array.from({ length: 20 }, (_, position) => position);
    for (const extreme of [[], all]) {
      const names = measureOrder(classes(20, extreme)).map(({ name }) => name);
      expect(names).not.toContain('tickets winning: drift');
    }
  });
});
