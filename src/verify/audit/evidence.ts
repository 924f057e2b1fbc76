import { assert } from '../../core/assert.js';
import type { Tails } from './distributions.js';
import { sumOf } from '../../core/sum-of.js';

/**
 * What a test has seen, in a form that adds up: the evidence of several blocks together is evidence
 * of the same kind, and is judged by the same rules.
 */
export type Evidence =
  | CountsEvidence
  | VectorEvidence
  | EventsEvidence
  | BinomialEvidence
  | PositionsEvidence
  | BridgeEvidence
  | StreakEvidence
  | ExactEvidence;

/** Counts in categories, in strata that are independent of each other. */
export interface CountsEvidence {
  readonly kind: 'counts';
  readonly strata: ReadonlyMap<string, CountsStratum>;
  /** Whether counts that are too even speak against a block as well. */
  readonly isTwoSided: boolean;
}

/** One table of counts; its total is the same as that of its expectations. */
export interface CountsStratum {
  readonly observed: ArrayLike<number>;
  readonly expected: ArrayLike<number>;
  /** The places of each category, where so many marked ones are spread over all; else independent. */
  readonly sizes?: ArrayLike<number>;
  /**
   * The covariance over that of independent draws, where one ticket adds to several categories; such
   * counts are large.
   */
  readonly scale?: number;
  /** The part of a degree of freedom that a further fixed sum takes away. */
  readonly constrained?: number;
}

/** Sums with a known covariance, close to normal. */
export interface VectorEvidence {
  readonly kind: 'vector';
  readonly observed: ArrayLike<number>;
  readonly expected: ArrayLike<number>;
  /** Row after row. */
  readonly covariance: ArrayLike<number>;
}

/** How many of some events occurred, each of them likely or not, with the count's cumulants. */
export interface EventsEvidence {
  readonly kind: 'events';
  readonly count: number;
  readonly mean: number;
  readonly variance: number;
  readonly third: number;
}

/** Successes in trials of one probability; a finite pool only makes their law narrower. */
export interface BinomialEvidence {
  readonly kind: 'binomial';
  readonly successes: number;
  readonly trials: number;
  readonly probability: number;
}

/** Where the few tickets of a class are: parts of the block, from 0 to 1. */
export interface PositionsEvidence {
  readonly kind: 'positions';
  readonly positions: Float64Array;
}

/** The largest distance of a class's running share from its even growth, in bridge units. */
export interface BridgeEvidence {
  readonly kind: 'bridge';
  readonly distance: number;
}

/** The longest streak of losing tickets between winning ones. */
export interface StreakEvidence {
  readonly kind: 'streak';
  readonly longest: number;
  readonly tickets: number;
  readonly winners: number;
  /** Blocks among whose streaks it is the longest. */
  readonly blocks: number;
}

/** A count whose exact tails are known already. */
export interface ExactEvidence {
  readonly kind: 'exact';
  readonly count: number;
  readonly mean: number;
  readonly tails: Tails;
}

/**
 * What a group of tests is about.
 *
 * @group Reports
 */
export type TestGroup = 'order' | 'symbols' | 'pick-out' | 'duplicates' | 'between blocks';

/** What a test looks at: the symbols in one cell (from 0) of some grids, or near wins. */
type MeasurementSubject =
  | { readonly kind: 'cell'; readonly grids: string; readonly cell: number }
  | { readonly kind: 'near wins' };

/** The evidence for one test of a block. */
export interface Measurement {
  /** The same in every block, and no other test's. */
  readonly name: string;
  readonly group: TestGroup;
  readonly evidence: Evidence;
  /** What it looks at, where a picture can be drawn of it. */
  readonly subject?: MeasurementSubject;
  /** Quotas fix the counts, so that in a right block their p-value is always close to 1. */
  readonly isFixedByQuotas?: boolean;
}

/** Evidence in one table. Tables with another number of categories never add up with it. */
export function countsEvidence(stratum: CountsStratum, isTwoSided = false): CountsEvidence {
  const key = String(stratum.expected.length);
  return { kind: 'counts', strata: new Map([[key, stratum]]), isTwoSided };
}

/** Evidence from events of which each has its own probability, independent of the others. */
export function eventsEvidence(
  count: number,
  chances: Iterable<{ readonly trials: number; readonly probability: number }>,
): EventsEvidence {
  let mean = 0;
  let variance = 0;
  let third = 0;
  for (const { trials, probability } of chances) {
    const spread = trials * probability * (1 - probability);
    mean += trials * probability;
    variance += spread;
    third += spread * (1 - 2 * probability);
  }
  return { kind: 'events', count, mean, variance, third };
}

/** Items whose pairs are compared: each pair is the same with one chance. */
export interface ComparedPairs {
  readonly pairs: number;
  /** Three items of which every two are compared: where two pairs are the same, so is the third. */
  readonly triples: number;
  readonly chance: number;
}

/** Evidence from pairs of items that are the same, when each item is drawn uniformly. */
export function pairsEvidence(count: number, compared: Iterable<ComparedPairs>): EventsEvidence {
  let mean = 0;
  let variance = 0;
  let third = 0;
  for (const { pairs, triples, chance } of compared) {
    const spread = pairs * chance * (1 - chance);
    mean += pairs * chance;
    variance += spread;
    third += spread * (1 - 2 * chance) + 6 * triples * chance ** 2 * (1 - chance);
  }
  return { kind: 'events', count, mean, variance, third };
}

/**
 * The evidence of two blocks together.
 *
 * @returns `undefined` for evidence that does not add up.
 */
export function addEvidence(a: Evidence, b: Evidence): Evidence | undefined {
  if (a.kind === 'counts' && b.kind === 'counts') return addCounts(a, b);
  if (a.kind === 'vector' && b.kind === 'vector') {
    const observed = addArrays(a.observed, b.observed);
    const expected = addArrays(a.expected, b.expected);
    return { ...a, observed, expected, covariance: addArrays(a.covariance, b.covariance) };
  }
  if (a.kind === 'events' && b.kind === 'events') {
    const count = a.count + b.count;
    const [mean, variance, third] = [a.mean + b.mean, a.variance + b.variance, a.third + b.third];
    return { kind: 'events', count, mean, variance, third };
  }
  if (a.kind === 'binomial' && b.kind === 'binomial' && a.probability === b.probability) {
    return { ...a, successes: a.successes + b.successes, trials: a.trials + b.trials };
  }
  if (a.kind === 'positions' && b.kind === 'positions') {
    return { kind: 'positions', positions: concatenate(a.positions, b.positions) };
  }
  if (a.kind === 'streak' && b.kind === 'streak' && a.winners === b.winners) {
    return { ...a, longest: Math.max(a.longest, b.longest), blocks: a.blocks + b.blocks };
  }
  return undefined;
}

function addCounts(a: CountsEvidence, b: CountsEvidence): CountsEvidence {
  const strata = new Map(a.strata);
  for (const [key, stratum] of b.strata) {
    const other = strata.get(key);
    strata.set(key, other === undefined ? stratum : addStrata(other, stratum));
  }
  return { ...a, strata };
}

function addStrata(a: CountsStratum, b: CountsStratum): CountsStratum {
  const { sizes, scale, constrained } = a;
  const share = sumOf(a.expected) / (sumOf(a.expected) + sumOf(b.expected));
  const mix = (first: number, second: number | undefined): number =>
    share * first + (1 - share) * (second ?? first);
  return {
    observed: addArrays(a.observed, b.observed),
    expected: addArrays(a.expected, b.expected),
    ...(sizes === undefined ? {} : { sizes: addArrays(sizes, b.sizes ?? []) }),
    ...(scale === undefined ? {} : { scale: mix(scale, b.scale) }),
    ...(constrained === undefined ? {} : { constrained: mix(constrained, b.constrained) }),
  };
}

function addArrays(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  assert(a.length === b.length, () => `${a.length} values were to be added to ${b.length}`);
  return Float64Array.from(a, (value, index) => value + (b[index] ?? 0));
}

function concatenate(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
