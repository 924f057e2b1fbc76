import { describe, expect, test } from '@jest/globals';
import { addEvidence, countsEvidence, pairsEvidence, type Evidence } from './evidence.js';
import { EvidencePool } from './evidence-pool.js';

describe('evidence of two blocks', () => {
  test('in counts adds up table by table, and keeps tables that only one block has', () => {
    const a: Evidence = {
      kind: 'counts',
      strata: new Map([
        ['both', { observed: [1, 2], expected: [1.5, 1.5] }],
        ['first', { observed: [4], expected: [4] }],
      ]),
      isTwoSided: true,
    };
    const b: Evidence = {
      kind: 'counts',
      strata: new Map([
        ['both', { observed: [3, 3], expected: [2, 4] }],
        ['second', { observed: [7], expected: [7] }],
      ]),
      isTwoSided: true,
    };
    const sum = addEvidence(a, b);
    if (sum?.kind !== 'counts') throw new Error('counts add up to counts');
    expect(sum.isTwoSided).toBe(true);
    expect([...sum.strata.keys()]).toEqual(['both', 'first', 'second']);
    expect(sum.strata.get('both')).toEqual({
      observed: Float64Array.of(4, 5),
      expected: Float64Array.of(3.5, 5.5),
    });
  });

  test('adds places, and weighs what describes the whole table by its expectation', () => {
    const a = countsEvidence({
      observed: [10],
      expected: [10],
      sizes: [20],
      scale: 0.5,
      constrained: 1,
    });
    const b = countsEvidence({
      observed: [30],
      expected: [30],
      sizes: [40],
      scale: 0.9,
      constrained: 0.6,
    });
    const sum = addEvidence(a, b);
    if (sum?.kind !== 'counts') throw new Error('counts add up to counts');
    const stratum = sum.strata.get('1');
    expect(stratum?.sizes).toEqual(Float64Array.of(60));
    expect(stratum?.scale).toBeCloseTo(0.8, 12);
    expect(stratum?.constrained).toBeCloseTo(0.7, 12);
  });

  test('in sums adds up with the covariance', () => {
    const one: Evidence = { kind: 'vector', observed: [3], expected: [2], covariance: [4] };
    expect(addEvidence(one, one)).toEqual({
      kind: 'vector',
      observed: Float64Array.of(6),
      expected: Float64Array.of(4),
      covariance: Float64Array.of(8),
    });
  });

  test('in events adds up with the cumulants', () => {
    const one: Evidence = { kind: 'events', count: 1, mean: 2, variance: 3, third: 4 };
    const two = { kind: 'events', count: 2, mean: 4, variance: 6, third: 8 };
    expect(addEvidence(one, one)).toEqual(two);
  });

  test('in trials adds up where their chance is the same', () => {
    const one: Evidence = { kind: 'binomial', successes: 1, trials: 10, probability: 0.1 };
    expect(addEvidence(one, one)).toEqual({ ...one, successes: 2, trials: 20 });
    expect(addEvidence(one, { ...one, probability: 0.2 })).toBeUndefined();
  });

  test('in positions is all positions', () => {
    const a: Evidence = { kind: 'positions', positions: Float64Array.of(0.1) };
    const b: Evidence = { kind: 'positions', positions: Float64Array.of(0.9) };
    const both = { kind: 'positions', positions: Float64Array.of(0.1, 0.9) };
    expect(addEvidence(a, b)).toEqual(both);
  });

  test('in streaks is the longest of so many blocks', () => {
    const one: Evidence = { kind: 'streak', longest: 5, tickets: 9, winners: 3, blocks: 1 };
    expect(addEvidence(one, { ...one, longest: 7 })).toEqual({ ...one, longest: 7, blocks: 2 });
    expect(addEvidence(one, { ...one, winners: 4 })).toBeUndefined();
  });

  test('in drifts does not add up, nor does evidence of two kinds', () => {
    const drift: Evidence = { kind: 'bridge', distance: 1 };
    const tails = { below: 1, above: 1 };
    expect(addEvidence(drift, drift)).toBeUndefined();
    expect(addEvidence(drift, { kind: 'exact', count: 1, mean: 1, tails })).toBeUndefined();
  });

  test('in tables of other categories stays apart', () => {
    const a = countsEvidence({ observed: [1], expected: [1] });
    const b = countsEvidence({ observed: [1, 2], expected: [1, 2] });
    const sum = addEvidence(a, b);
    if (sum?.kind !== 'counts') throw new Error('counts add up to counts');
    expect([...sum.strata.values()]).toEqual([
      { observed: [1], expected: [1] },
      { observed: [1, 2], expected: [1, 2] },
    ]);
  });

  test('must be of the same shape under the same name', () => {
    const one: Evidence = { kind: 'vector', observed: [3], expected: [2], covariance: [4] };
    const two = { ...one, observed: [3, 4] };
    expect(() => addEvidence(one, two)).toThrow('1 values were to be added to 2');
  });
});

test('pairs that are the same have the exact cumulants over all draws', () => {
  // Five items out of three values, compared where they are at most two apart: seven pairs.
  const counts = Array.from({ length: 3 ** 5 }, (_, draw) => {
    const items = draw.toString(3).padStart(5, '0');
    const same = (lag: number): number =>
      Array.from(items).filter((item, index) => index >= lag && item === items[index - lag]).length;
    return same(1) + same(2);
  });
  const moment = (power: number, mean = 0): number =>
    counts.reduce((sum, count) => sum + (count - mean) ** power, 0) / counts.length;
  const { mean, variance, third } = pairsEvidence(0, [{ pairs: 7, triples: 3, chance: 1 / 3 }]);
  expect(mean).toBeCloseTo(moment(1), 12);
  expect(variance).toBeCloseTo(moment(2, mean), 12);
  expect(third).toBeCloseTo(moment(3, mean), 12);
});

describe('a pool', () => {
  const events = (name: string, count: number) =>
    ({
      name,
      group: 'order',
      evidence: { kind: 'events', count, mean: 1, variance: 1, third: 1 },
    }) as const;
  const drift = {
    name: 'drift',
    group: 'order',
    evidence: { kind: 'bridge', distance: 1 },
  } as const;

  test('has the tests that several blocks have, and whose evidence adds up', () => {
    const pool = new EvidencePool();
    pool.add([events('a', 1), events('only here', 1), drift]);
    pool.add([events('a', 2), drift]);
    pool.add([events('a', 4), drift]);
    const [first, ...others] = pool.measurements();
    expect(others).toEqual([]);
    expect(first?.name).toBe('a');
    expect(first?.evidence).toMatchObject({ count: 7, mean: 3 });
  });
});
