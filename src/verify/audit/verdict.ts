import { formatCount } from '../../core/money.js';
import type { Tails } from './distributions.js';

/** What a test made of its evidence. */
export interface Verdict {
  readonly statistic: number;
  /** Degrees of freedom, for statistics that have any. */
  readonly degrees: number | null;
  readonly tails: Tails;
  /** Whether values that are too small speak against a block as well as those that are too large. */
  readonly isTwoSided: boolean;
  /** The statistic takes few values: its p-values are right as bounds, but not uniform. */
  readonly isDiscrete: boolean;
  readonly note: string;
}

/** An expected number for people: as many digits as say something. */
export function formatMean(mean: number): string {
  if (mean >= 1000) return formatCount(Math.round(mean));
  return mean >= 0.001 || mean === 0 ? mean.toFixed(3) : mean.toExponential(1);
}
