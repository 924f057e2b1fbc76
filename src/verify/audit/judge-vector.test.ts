import { describe, expect, test } from '@jest/globals';
import { loadDistributions } from './distributions.js';
import { judgeVector } from './judge-vector.js';

const laws = await loadDistributions();

/** The covariance of the counts of so many draws with these chances. */
function multinomial(draws: number, chances: readonly number[]): number[] {
  return chances.flatMap((chance, row) =>
    chances.map((other, column) => draws * ((row === column ? chance : 0) - chance * other)),
  );
}

describe('sums with a known covariance', () => {
  test('are judged as Pearson would, where they are counts of independent draws', () => {
    const chances = [0.5, 0.3, 0.2];
    const expected = chances.map((chance) => chance * 10_000);
    const observed = [5080, 2950, 1970];
    const pearson = observed.reduce(
      (sum, count, index) => sum + (count - (expected[index] ?? 0)) ** 2 / (expected[index] ?? 1),
      0,
    );
    const covariance = multinomial(10_000, chances);
    const verdict = judgeVector({ kind: 'vector', observed, expected, covariance }, laws);
    expect(verdict?.statistic).toBeCloseTo(pearson, 8);
    expect(verdict?.degrees).toBe(2);
    expect(verdict?.tails.above).toBeCloseTo(Math.exp(-pearson / 2), 8);
  });

  test('of little variance are left out', () => {
    const chances = [0.59, 0.4, 0.01];
    const expected = chances.map((chance) => chance * 10_000);
    const covariance = multinomial(10_000, chances);
    const observed = [5900, 4000, 100];
    const verdict = judgeVector({ kind: 'vector', observed, expected, covariance }, laws);
    expect(verdict?.degrees).toBe(1);
    expect(verdict?.tails.above).toBe(1);
  });

  test('that follow from others add no degree', () => {
    const covariance = [1000, 1000, -1000, 1000, 1000, -1000, -1000, -1000, 1000];
    const verdict = judgeVector(
      { kind: 'vector', observed: [40, 40, 960], expected: [10, 10, 990], covariance },
      laws,
    );
    expect(verdict?.degrees).toBe(1);
    expect(verdict?.statistic).toBeCloseTo(0.9, 10);
  });

  test('of no variance cannot be judged', () => {
    const nothing = { observed: [5, 5], expected: [5, 5], covariance: [0, 0, 0, 0] };
    expect(judgeVector({ kind: 'vector', ...nothing }, laws)).toBeUndefined();
  });
});
