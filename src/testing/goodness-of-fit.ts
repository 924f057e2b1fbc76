import { bdtr, bdtrc, chdtrc, compiled } from 'cephes';

await compiled;

/**
 * The p-value of Pearson's chi-square test.
 *
 * @param observed - How often each value came out.
 * @param weights - How likely each value is, in proportion: one for each value, all positive.
 */
export function chiSquareP(observed: readonly number[], weights: readonly number[]): number {
  if (observed.length !== weights.length) throw new Error('not one weight for each value');
  const drawn = observed.reduce((sum, count) => sum + count, 0);
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  const statistic = weights.reduce((sum, weight, value) => {
    const expected = (drawn * weight) / totalWeight;
    return sum + ((observed[value] ?? 0) - expected) ** 2 / expected;
  }, 0);
  return chdtrc(weights.length - 1, statistic);
}

/** The p-value of Pearson's chi-square test where all values are equally likely. */
export function evenChiSquareP(observed: readonly number[]): number {
  return chiSquareP(
    observed,
    observed.map(() => 1),
  );
}

/** The two-sided p-value of so many successes in independent trials: twice the smaller tail. */
export function binomialP(successes: number, trials: number, probability: number): number {
  const atMost = bdtr(successes, trials, probability);
  const atLeast = successes === 0 ? 1 : bdtrc(successes - 1, trials, probability);
  return Math.min(1, 2 * Math.min(atMost, atLeast));
}
