import { describe, expect, test } from '@jest/globals';
import { loadDistributions } from './distributions.js';
import { eventsEvidence, type Evidence } from './evidence.js';
import { judge, type TestResult } from './judge.js';

const laws = await loadDistributions();

function resultOf(evidence: Evidence, isFixedByQuotas = false): TestResult {
  const result = judge({ name: 'a test', group: 'order', evidence, isFixedByQuotas }, laws);
  if (result === undefined) throw new Error('there was too little to judge');
  return result;
}

function events(count: number, mean: number, others: Partial<Record<string, number>> = {}) {
  return { kind: 'events', count, mean, variance: mean, third: mean, ...others } as const;
}

describe('events', () => {
  test('that are rare are Poisson, on both sides', () => {
    const many = resultOf(events(10, 2));
    expect(many.pValue).toBeCloseTo(2 * laws.poisson(10, 2).above, 15);
    expect(many.isDiscrete).toBe(true);
    expect(many.note).toBe('10 observed, 2.000 expected');
    expect(resultOf(events(0, 12)).pValue).toBeCloseTo(2 * Math.exp(-12), 12);
    expect(resultOf(events(2, 2)).pValue).toBe(1);
  });

  test('that are many have the law of their cumulants, close to the exact one', () => {
    for (const [count, mean, isDiscrete] of [
      [260, 150, true],
      [60, 150, true],
      [3400, 3000, false],
    ] as const) {
      const result = resultOf(events(count, mean));
      expect(result.isDiscrete).toBe(isDiscrete);
      const exact = laws.poisson(count, mean);
      const ratio = result.pValue / (2 * Math.min(exact.below, exact.above));
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(3);
    }
  });

  test('that are rare and come in clusters only alarm where they are too many', () => {
    const clustered = { variance: 2, third: 3 };
    expect(resultOf(events(0, 2, clustered)).pValue).toBe(1);
    expect(resultOf(events(12, 2, clustered)).pValue).toBeLessThan(1e-3);
    expect(resultOf(events(0, 2, { variance: 3 })).pValue).toBe(1);
    // Wider than Poisson.
    expect(resultOf(events(12, 2, clustered)).pValue).toBeGreaterThan(
      resultOf(events(12, 2)).pValue,
    );
  });

  test('that cannot vary cannot be judged', () => {
    const evidence = events(0, 0);
    expect(judge({ name: '', group: 'order', evidence }, laws)).toBeUndefined();
  });

  test('with chances of their own add up their cumulants', () => {
    const evidence = eventsEvidence(7, [
      { trials: 10, probability: 0.5 },
      { trials: 20, probability: 0.1 },
    ]);
    expect(evidence).toMatchObject({ kind: 'events', count: 7, mean: 7 });
    expect(evidence.variance).toBeCloseTo(4.3, 12);
    expect(evidence.third).toBeCloseTo(1.44, 12);
  });

  test('that are expected hardly ever are told with their exponent', () => {
    expect(resultOf(events(1, 1.3e-31)).note).toBe('1 observed, 1.3e-31 expected');
    expect(resultOf(events(1, 1.3e-31)).pValue).toBeCloseTo(2.6e-31, 40);
  });
});

describe('successes', () => {
  test('are binomial', () => {
    const evidence = { kind: 'binomial', successes: 0, trials: 157, probability: 0.1 } as const;
    expect(resultOf(evidence).pValue).toBeCloseTo(2 * 0.9 ** 157, 15);
    expect(resultOf(evidence).isDiscrete).toBe(true);
    const many = { kind: 'binomial', successes: 3000, trials: 30_000, probability: 0.1 } as const;
    expect(resultOf(many).isDiscrete).toBe(false);
  });

  test('without trials cannot be judged', () => {
    const evidence = { kind: 'binomial', successes: 0, trials: 0, probability: 0.1 } as const;
    expect(judge({ name: '', group: 'order', evidence }, laws)).toBeUndefined();
  });
});

describe('positions', () => {
  const at = (...positions: number[]): Evidence => ({
    kind: 'positions',
    positions: Float64Array.from(positions),
  });

  test('of a single ticket say how close to an end of the block it is', () => {
    const { statistic, pValue, isDiscrete, note } = resultOf(at(0.01));
    expect(statistic).toBeCloseTo(0.99, 12);
    expect(pValue).toBeCloseTo(0.02, 12);
    expect(isDiscrete).toBe(true);
    expect(note).toBe('1 ticket; the first at 1.00 % of the block');
    expect(resultOf(at(0.5)).pValue).toBe(1);
  });

  test('are taken in any order', () => {
    expect(resultOf(at(0.9, 0.1, 0.4)).statistic).toBe(resultOf(at(0.1, 0.4, 0.9)).statistic);
  });

  test('have two-sided p-values out of exact one-sided ones', () => {
    const spread = (n: number, distance: number): Evidence =>
      at(...Array.from({ length: n }, (_, index) => Math.min(1, index / n + distance)));
    // The exact two-sided law: scipy.stats.kstwo.sf(0.3, 20) and (0.11, 100).
    expect(resultOf(spread(20, 0.3)).pValue).toBeCloseTo(0.04306706665851623, 5);
    expect(resultOf(spread(100, 0.11)).pValue).toBeCloseTo(0.16496264039321795, 3);
  });

  test('that are as even as can be are no alarm', () => {
    const evenly = Array.from({ length: 20_000 }, (_, index) => (index + 0.5) / 20_000);
    expect(resultOf(at(...evenly)).pValue).toBe(1);
  });

  test('of no ticket cannot be judged', () => {
    expect(judge({ name: '', group: 'order', evidence: at() }, laws)).toBeUndefined();
  });
});

test('a drift is held to a Brownian bridge', () => {
  const { pValue, isDiscrete } = resultOf({ kind: 'bridge', distance: 2 });
  expect(pValue).toBeCloseTo(0.0006709252557796953, 12);
  expect(isDiscrete).toBe(false);
});

test('a count with known tails is taken as it is', () => {
  const tails = { below: 0.999, above: 0.002 };
  const { pValue, statistic } = resultOf({ kind: 'exact', count: 9, mean: 3.5, tails });
  expect(pValue).toBe(0.004);
  expect(statistic).toBe(9);
});

test('p-values end at 1e-280', () => {
  expect(resultOf({ kind: 'bridge', distance: 100 }).pValue).toBe(1e-280);
});

test('counts that quotas fix are never taken for uniform', () => {
  expect(resultOf({ kind: 'bridge', distance: 1 }, true).isDiscrete).toBe(true);
});
