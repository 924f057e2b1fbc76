import type { Cumulants } from './distributions.js';
import { sumOf } from '../../core/sum-of.js';

/**
 * The deviance of a count from its expectation. Sums of deviances follow the chi-square law much
 * further into its tail than Pearson's sums do: a category that expects 10 and gets 38 has the
 * probability 1e-11, Pearson's statistic 78 says 1e-18. An alarm at 1e-9 needs that tail right.
 */
export function deviance(observed: number, expected: number): number {
  const ratio = observed === 0 ? 0 : observed * Math.log(observed / expected);
  return 2 * (ratio - (observed - expected));
}

/** The same for a count out of so many places: what is not there counts as well. */
export function devianceOf(observed: number, expected: number, size: number): number {
  return deviance(observed, expected) + deviance(size - observed, size - expected);
}

/** From this expectation on the first correction is exact enough. */
const MANY = 300;

/** How many standard deviations of a count are summed over. */
const REACH = 12;

const known = new Map<number, Map<number, Cumulants>>();

/**
 * The cumulants of a count's deviance: Poisson counts, or binomial ones out of `size` places.
 * By summation over all counts where the expectation is small.
 */
export function devianceCumulants(expected: number, size = Infinity): Cumulants {
  if (Math.min(expected, size - expected) >= MANY) return manyCumulants(expected, size);
  const ofSize = known.get(size) ?? new Map<number, Cumulants>();
  known.set(size, ofSize);
  // Expectations that differ by a thousandth have the same cumulants for all that matters.
  const key = Math.round(Math.log(expected) * 1000);
  let cumulants = ofSize.get(key);
  if (cumulants === undefined) {
    cumulants = summedCumulants(expected, size);
    ofSize.set(key, cumulants);
  }
  return cumulants;
}

/** Bartlett: the deviance is a chi-square variable of one degree, stretched a little. */
function manyCumulants(expected: number, size: number): Cumulants {
  const stretch = 1 + (1 / expected + 1 / (size - expected) - 1 / size) / 6;
  return { mean: stretch, variance: 2 * stretch ** 2, third: 8 * stretch ** 3 };
}

function summedCumulants(expected: number, size: number): Cumulants {
  const share = expected / size;
  const reach = REACH * Math.sqrt(expected * (1 - share)) + 4 * REACH;
  const first = Math.max(0, Math.floor(expected - reach));
  const last = Math.min(size, Math.ceil(expected + reach));
  const values: number[] = [];
  const weights: number[] = [];
  // Weights relative to the first count's: each follows from the one before.
  let logWeight = 0;
  for (let count = first; count <= last; count += 1) {
    values.push(size === Infinity ? deviance(count, expected) : devianceOf(count, expected, size));
    weights.push(logWeight);
    const odds = size === Infinity ? expected : ((size - count) * share) / (1 - share);
    logWeight += Math.log(odds / (count + 1));
  }
  return weightedCumulants(values, weights);
}

function weightedCumulants(values: readonly number[], logWeights: readonly number[]): Cumulants {
  const largest = logWeights.reduce((most, weight) => Math.max(most, weight), -Infinity);
  const weights = logWeights.map((weight) => Math.exp(weight - largest));
  const total = sumOf(weights);
  const average = (of: (value: number) => number): number =>
    values.reduce((sum, value, index) => sum + of(value) * (weights[index] ?? 0), 0) / total;
  const mean = average((value) => value);
  return {
    mean,
    variance: average((value) => (value - mean) ** 2),
    third: average((value) => (value - mean) ** 3),
  };
}
