import type { StreakEvidence } from './evidence.js';
import { formatMean, type Verdict } from './verdict.js';

/** Where more streaks are expected, the terms would cancel out; Poisson's chance of none is a bound. */
const MOST_EXPECTED = 12;

/** Terms of the alternating sum that can matter below that. */
const MOST_TERMS = 80;

/** Judges the longest losing streak by its exact law, in a finite pool, of one block or of several. */
export function judgeStreak(evidence: StreakEvidence): Verdict | undefined {
  const { longest, tickets, winners, blocks } = evidence;
  if (winners === 0 || winners === tickets) return undefined;
  const reached = (length: number): number => -Math.expm1(blocks * logNever(length, evidence));
  const tails = {
    below: Math.exp(blocks * logNever(longest + 1, evidence)),
    above: reached(longest),
  };
  let mean = 0;
  for (let length = 1; length <= tickets; length += 1) {
    const above = reached(length);
    mean += above;
    if (above < 1e-6) break;
  }
  const note = `${longest} losing tickets in a row, ${formatMean(mean)} expected`;
  return { statistic: longest, degrees: null, tails, isTwoSided: true, isDiscrete: true, note };
}

/**
 * The logarithm of the probability that every streak of a block is shorter than `length`, by inclusion
 * and exclusion over the gaps before, between and behind the winning tickets. Each term follows from
 * the one before by factors, exact to some 1e-14: the terms can be ten orders above their sum, to which
 * logarithms of factorials would be too coarse.
 */
function logNever(
  length: number,
  { tickets, winners }: Pick<StreakEvidence, 'tickets' | 'winners'>,
): number {
  const losers = tickets - winners;
  let term = 1;
  let reached = 0;
  const mostGaps = Math.min(MOST_TERMS, winners + 1, Math.floor(losers / length));
  for (let gaps = 1; gaps <= mostGaps; gaps += 1) {
    term *= (winners + 2 - gaps) / gaps;
    // One more gap begins with so many losing tickets, drawn after those of the gaps before.
    for (let drawn = (gaps - 1) * length; drawn < gaps * length; drawn += 1) {
      term *= (losers - drawn) / (tickets - drawn);
    }
    // The gaps have a fixed sum: that all are short is rarer than if they were independent.
    if (gaps === 1 && term > MOST_EXPECTED) return -term;
    reached += gaps % 2 === 1 ? term : -term;
    if (term < 1e-18 * reached) break;
  }
  return Math.log1p(-Math.min(1, reached));
}
