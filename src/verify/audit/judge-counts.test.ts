import { describe, expect, test } from '@jest/globals';
import { deviance, devianceOf } from './deviance.js';
import { loadDistributions } from './distributions.js';
import { countsEvidence, type CountsEvidence } from './evidence.js';
import { judgeCounts } from './judge-counts.js';
import type { Verdict } from './verdict.js';

const laws = await loadDistributions();

function verdictOn(evidence: CountsEvidence): Verdict {
  const verdict = judgeCounts(evidence, laws);
  if (verdict === undefined) throw new Error('there was too little to judge');
  return verdict;
}

/** All ways to spread items over categories, and how many arrangements each stands for. */
function* tables(items: number, categories: number): Generator<readonly number[]> {
  if (categories === 1) yield [items];
  for (let first = 0; first <= items && categories > 1; first += 1) {
    for (const rest of tables(items - first, categories - 1)) yield [first, ...rest];
  }
}

function logFactorial(n: number): number {
  let sum = 0;
  for (let factor = 2; factor <= n; factor += 1) sum += Math.log(factor);
  return sum;
}

/** The p-value of every table, and the table's chance under the exact law. */
function exactLaw(items: number, chances: readonly number[]) {
  const expected = chances.map((chance) => chance * items);
  return [...tables(items, chances.length)].map((observed) => {
    const logChance = observed.reduce(
      (sum, count, index) => sum + count * Math.log(chances[index] ?? 0) - logFactorial(count),
      logFactorial(items),
    );
    const { tails } = verdictOn(countsEvidence({ observed, expected }));
    return { pValue: tails.above, chance: Math.exp(logChance) };
  });
}

describe('counts in categories', () => {
  test('are judged by the sum of their deviances', () => {
    const observed = [30, 50, 20];
    const expected = [33, 40, 27];
    const verdict = verdictOn(countsEvidence({ observed, expected }));
    const sum = deviance(30, 33) + deviance(50, 40) + deviance(20, 27);
    expect(verdict.statistic).toBeCloseTo(sum, 10);
    expect(verdict.degrees).toBe(2);
    expect(verdict.isTwoSided).toBe(false);
    // Close to the chi-square law with two degrees.
    expect(verdict.tails.above).toBeCloseTo(Math.exp(-sum / 2), 2);
  });

  test('come out at a level as often as it says, by all tables of 60 in three categories', () => {
    const law = exactLaw(60, [0.5, 0.3, 0.2]);
    for (const level of [0.1, 0.01, 1e-3, 1e-5, 1e-7]) {
      const size = law.reduce((sum, { pValue, chance }) => sum + (pValue <= level ? chance : 0), 0);
      expect(size / level).toBeGreaterThan(0.7);
      expect(size / level).toBeLessThan(1.3);
    }
  });

  test('without replacement count what is not there as well', () => {
    const observed = [7, 2, 6];
    const sizes = [10, 10, 10];
    const expected = [5, 5, 5];
    const verdict = verdictOn(countsEvidence({ observed, expected, sizes }));
    const sum = devianceOf(7, 5, 10) + devianceOf(2, 5, 10) + devianceOf(6, 5, 10);
    expect(verdict.statistic).toBeCloseTo(sum, 10);
  });

  test('of several tables add up', () => {
    const first = { observed: [30, 50, 40], expected: [40, 40, 40] };
    const second = { observed: [10, 12, 8], expected: [10, 10, 10] };
    const strata = new Map(Object.entries({ first, second }));
    const verdict = verdictOn({ kind: 'counts', strata, isTwoSided: true });
    expect(verdict.degrees).toBe(4);
    expect(verdict.isTwoSided).toBe(true);
    const alone = [first, second].map((stratum) => verdictOn(countsEvidence(stratum)).statistic);
    expect(verdict.statistic).toBeCloseTo(
      alone.reduce((sum, value) => sum + value),
      10,
    );
  });

  test('that expect too little are put together', () => {
    const observed = [50, 40, 3, 4, 3];
    const expected = [50, 40, 3, 3, 4];
    const verdict = verdictOn(countsEvidence({ observed, expected }));
    expect(verdict.degrees).toBe(2);
    expect(verdict.statistic).toBeCloseTo(0, 12);
  });

  test('that expect too little even together go to the smallest of the others', () => {
    const observed = [50, 38, 3];
    const expected = [50, 39, 2];
    const verdict = verdictOn(countsEvidence({ observed, expected }));
    expect(verdict.degrees).toBe(1);
    expect(verdict.statistic).toBeCloseTo(0, 12);
  });

  test('in a single category, or in none, cannot be judged', () => {
    expect(judgeCounts(countsEvidence({ observed: [4], expected: [4] }), laws)).toBeUndefined();
    const few = { observed: [2, 1, 1], expected: [1, 1, 2] };
    expect(judgeCounts(countsEvidence(few), laws)).toBeUndefined();
  });

  test('with a further fixed sum have a part of a degree less', () => {
    const stratum = { observed: [200, 150, 250], expected: [210, 160, 230] };
    const free = verdictOn(countsEvidence(stratum));
    const fixed = verdictOn(countsEvidence({ ...stratum, constrained: 1 }));
    expect(fixed.degrees).toBe(1);
    expect(fixed.statistic).toBe(free.statistic);
    // With one degree: the normal tails of the root.
    const root = Math.sqrt(fixed.statistic);
    const normal = laws.byCumulants(root, { mean: 0, variance: 1, third: 0 });
    expect(fixed.tails.above).toBeCloseTo(2 * normal.above, 2);
  });

  test('of tickets that add to several categories are held to their own covariance', () => {
    const stratum = { observed: [420, 380, 400], expected: [400, 400, 400], scale: 0.5 };
    const verdict = verdictOn(countsEvidence(stratum));
    expect(verdict.statistic).toBeCloseTo(4, 10);
    expect(verdict.tails.above).toBeCloseTo(Math.exp(-2), 10);
  });

  test('of tickets that add to several categories are only judged where they are large', () => {
    const few = { observed: [150, 90, 120], expected: [120, 120, 120], scale: 0.5 };
    expect(judgeCounts(countsEvidence(few), laws)).toBeUndefined();
    // The two small ones together are large enough.
    const some = { observed: [420, 110, 110], expected: [400, 120, 120], scale: 0.5 };
    expect(verdictOn(countsEvidence(some)).degrees).toBe(1);
  });

  test('are said to be discrete where they take few values', () => {
    const isDiscrete = (count: number): boolean =>
      verdictOn(countsEvidence({ observed: [count, count], expected: [count, count] })).isDiscrete;
    expect([isDiscrete(21), isDiscrete(1200)]).toEqual([true, false]);
  });

  test('in two categories are bounds where they take few values', () => {
    const law = exactLaw(40, [0.5, 0.5]);
    for (const level of [0.2, 0.1, 0.05, 0.01, 1e-3, 1e-5]) {
      const size = law.reduce((sum, { pValue, chance }) => sum + (pValue <= level ? chance : 0), 0);
      expect(size).toBeLessThan(1.05 * level);
    }
  });
});
