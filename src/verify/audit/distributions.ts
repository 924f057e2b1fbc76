/** The probabilities of a statistic as small as the observed one, and of one as large. */
export interface Tails {
  readonly below: number;
  readonly above: number;
}

/** The mean and the next two cumulants of a statistic under its null law. */
export interface Cumulants {
  readonly mean: number;
  readonly variance: number;
  /** The third central moment. */
  readonly third: number;
}

/** The laws that p-values come from. */
export interface Distributions {
  /**
   * The tails of the gamma law (or, without skewness, the normal law) that has these cumulants,
   * moved and mirrored as needed. Of a chi-square variable's cumulants it is the chi-square law.
   */
  byCumulants(value: number, cumulants: Cumulants): Tails;
  poisson(count: number, mean: number): Tails;
  binomial(successes: number, trials: number, probability: number): Tails;
  /** The probability that a Brownian bridge comes this far from 0. */
  bridgeAbove(distance: number): number;
  /** The probability that some value of `n` uniform ones comes this far before its share (or behind). */
  oneSidedDistanceAbove(n: number, distance: number): number;
}

type Cephes = typeof import('cephes');

/** Squared skewness below which the normal law is used: its tails differ by less than 1 %. */
const NO_SKEWNESS = 1e-8;

/** A bridge stays within this distance of 0 with a probability below 1e-12. */
const SMALLEST_DISTANCE = 0.2;

/** Loads the library of special functions, which only an audit needs. */
export async function loadDistributions(): Promise<Distributions> {
  const cephes = await import('cephes');
  await cephes.compiled;
  return {
    byCumulants: (value, cumulants) => tailsByCumulants(value, cumulants, cephes),
    poisson: (count, mean) => ({
      below: orLimit(count >= mean ? 1 : 0, () => cephes.pdtr(count, mean)),
      above: count === 0 ? 1 : orLimit(count < mean ? 1 : 0, () => cephes.pdtrc(count - 1, mean)),
    }),
    binomial: (successes, trials, probability) => ({
      below: cephes.bdtr(successes, trials, probability),
      above: successes === 0 ? 1 : cephes.bdtrc(successes - 1, trials, probability),
    }),
    bridgeAbove: (distance) =>
      distance < SMALLEST_DISTANCE ? 1 : Math.min(1, cephes.kolmogorov(distance)),
    oneSidedDistanceAbove: (n, distance) => cephes.smirnov(n, Math.min(1, distance)),
  };
}

function tailsByCumulants(value: number, cumulants: Cumulants, cephes: Cephes): Tails {
  const { mean, variance, third } = cumulants;
  const z = (value - mean) / Math.sqrt(variance);
  const squaredSkewness = third ** 2 / variance ** 3;
  if (squaredSkewness < NO_SKEWNESS) return { below: cephes.ndtr(z), above: cephes.ndtr(-z) };
  const shape = 4 / squaredSkewness;
  // In units of the gamma law of scale 1, whose mean and variance are its shape.
  const x = shape + Math.sign(third) * z * Math.sqrt(shape);
  const isHigh = x > shape;
  const below = x <= 0 ? 0 : orLimit(isHigh ? 1 : 0, () => cephes.igam(shape, x));
  const above = x <= 0 ? 1 : orLimit(isHigh ? 0 : 1, () => cephes.igamc(shape, x));
  return third > 0 ? { below, above } : { below: above, above: below };
}

/** Cephes throws where a probability, or what is left of 1, is too small for a double. */
function orLimit(limit: 0 | 1, probability: () => number): number {
  try {
    return probability();
  } catch (error) {
    // By its message: these errors have no code, and in tests they come from another realm.
    if (String(error).includes('underflow')) return limit;
    throw error;
  }
}
