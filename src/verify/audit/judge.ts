import { formatCount } from '../../core/money.js';
import type { Distributions, Tails } from './distributions.js';
import type {
  BinomialEvidence,
  BridgeEvidence,
  EventsEvidence,
  Evidence,
  ExactEvidence,
  Measurement,
  PositionsEvidence,
  TestGroup,
} from './evidence.js';
import { judgeCounts } from './judge-counts.js';
import { judgeStreak } from './judge-streak.js';
import { judgeVector } from './judge-vector.js';
import { formatMean, type Verdict } from './verdict.js';

/**
 * The result of one test.
 *
 * @group Reports
 */
export interface TestResult {
  /** What it looks at. */
  readonly name: string;
  /** What part of the audit it belongs to. */
  readonly group: TestGroup;
  /** The value of its statistic. */
  readonly statistic: number;
  /** Its degrees of freedom, where it has any. */
  readonly degrees: number | null;
  /** The chance of such a value, or a worse one, in a right block. */
  readonly pValue: number;
  /** Whether only few values are possible, so that p-values are not uniform. */
  readonly isDiscrete: boolean;
  /** What was observed and expected. */
  readonly note: string;
}

/** Smaller p-values are not told apart: the special functions end there. */
const SMALLEST_P = 1e-280;

/** A count with a smaller variance is Poisson. */
const RARE = 100;

/** A count with a smaller variance moves in steps of a fiftieth of its deviation or more. */
const MANY = 2500;

/** Second and third cumulant of independent rare events are their mean; clusters make them larger. */
const CLUSTERED = 1.05;

/** Fewer positions than this have no simple two-sided law. */
const FEW_POSITIONS = 10;

/** With a larger one-sided tail the two-sided one is 1 to twelve digits, and its series ends too late. */
const CERTAIN = 0.92;

/**
 * Judges the evidence for one test.
 *
 * @returns `undefined` where there is too little to judge.
 */
export function judge(measurement: Measurement, laws: Distributions): TestResult | undefined {
  const { name, group, evidence, isFixedByQuotas = false } = measurement;
  const verdict = verdictOn(evidence, laws);
  if (verdict === undefined) return undefined;
  const { statistic, degrees, tails, isTwoSided, note } = verdict;
  const isDiscrete = verdict.isDiscrete || isFixedByQuotas;
  const smaller = isTwoSided ? Math.min(tails.below, tails.above) : tails.above;
  const pValue = Math.min(1, Math.max(SMALLEST_P, isTwoSided ? 2 * smaller : smaller));
  return { name, group, statistic, degrees, pValue, isDiscrete, note };
}

function verdictOn(evidence: Evidence, laws: Distributions): Verdict | undefined {
  switch (evidence.kind) {
    case 'counts':
      return judgeCounts(evidence, laws);
    case 'vector':
      return judgeVector(evidence, laws);
    case 'events':
      return judgeEvents(evidence, laws);
    case 'binomial':
      return judgeBinomial(evidence, laws);
    case 'positions':
      return judgePositions(evidence, laws);
    case 'bridge':
      return judgeBridge(evidence, laws);
    case 'streak':
      return judgeStreak(evidence);
    case 'exact':
      return judgeExact(evidence);
  }
}

/**
 * Rare events are Poisson; a sum of unequal chances is narrower, so that its p-value is a bound. Where
 * events are many, or come in clusters, their cumulants tell the law: with half an event less where
 * their number still moves in visible steps.
 */
function judgeEvents(evidence: EventsEvidence, laws: Distributions): Verdict | undefined {
  const { count, mean, variance, third } = evidence;
  if (variance <= 0) return undefined;
  const isRare = variance < RARE;
  const isDiscrete = variance < MANY;
  const isClustered = Math.max(variance, third) > CLUSTERED * mean;
  const half = isDiscrete ? 0.5 : 0;
  const { below } = laws.byCumulants(count + half, evidence);
  const { above } = laws.byCumulants(count - half, evidence);
  let tails = { below, above };
  if (isRare && !isClustered) tails = laws.poisson(count, mean);
  // The law of rare clusters is only known where they are too many.
  else if (isRare) tails = { below: 1, above: count === 0 ? 1 : above };
  return countVerdict({ count, mean, tails, isDiscrete });
}

function judgeBinomial(evidence: BinomialEvidence, laws: Distributions): Verdict | undefined {
  const { successes: count, trials, probability } = evidence;
  if (trials === 0) return undefined;
  const mean = trials * probability;
  const tails = laws.binomial(count, trials, probability);
  return countVerdict({ count, mean, tails, isDiscrete: mean * (1 - probability) < MANY });
}

function judgeExact({ count, mean, tails }: ExactEvidence): Verdict {
  return countVerdict({ count, mean, tails, isDiscrete: true });
}

function countVerdict(options: {
  readonly count: number;
  readonly mean: number;
  readonly tails: Tails;
  readonly isDiscrete: boolean;
}): Verdict {
  const { count, mean, tails, isDiscrete } = options;
  const note = `${formatCount(count)} observed, ${formatMean(mean)} expected`;
  return { statistic: count, degrees: null, tails, isTwoSided: true, isDiscrete, note };
}

/** Kolmogorov's distance of positions from an even spread, two-sided out of one-sided exact tails. */
function judgePositions(evidence: PositionsEvidence, laws: Distributions): Verdict | undefined {
  const sorted = evidence.positions.toSorted();
  const n = sorted.length;
  if (n === 0) return undefined;
  const distance = sorted.reduce(
    (most, position, index) => Math.max(most, position - index / n, (index + 1) / n - position),
    0,
  );
  const oneSided = laws.oneSidedDistanceAbove(n, distance);
  const isDiscrete = n < FEW_POSITIONS;
  const above = Math.min(1, isDiscrete ? 2 * oneSided : bothSides(oneSided));
  const note = `${formatCount(n)} ${n === 1 ? 'ticket' : 'tickets'}; the first at ${percent(sorted[0] ?? 0)} of the block`;
  const tails = { below: 1, above };
  return { statistic: distance, degrees: null, tails, isTwoSided: false, isDiscrete, note };
}

/**
 * In the limit the one-sided tail is exp(-2 x x) and the two-sided one 2 (a - a^4 + a^9 - ...) of it;
 * from ten positions on this is right to 0.005, and exact where it matters, in the tail.
 */
function bothSides(oneSided: number): number {
  if (oneSided > CERTAIN) return 1;
  let total = 0;
  for (let order = 1, sign = 1; order <= 20; order += 1, sign = -sign) {
    total += 2 * sign * oneSided ** (order * order);
  }
  return Math.max(0, total);
}

function judgeBridge({ distance }: BridgeEvidence, laws: Distributions): Verdict {
  const tails = { below: 1, above: laws.bridgeAbove(distance) };
  const note = `largest drift ${distance.toFixed(3)} in units of a Brownian bridge`;
  return {
    statistic: distance,
    degrees: null,
    tails,
    isTwoSided: false,
    isDiscrete: false,
    note,
  };
}

function percent(part: number): string {
  return `${(100 * part).toFixed(2)} %`;
}
