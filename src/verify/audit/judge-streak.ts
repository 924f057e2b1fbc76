import type { Distributions } from './distributions.js';
import type { StreakEvidence } from './evidence.js';
import { formatMean, type Verdict } from './verdict.js';

/** From this many expected streaks on their number is taken as Poisson. */
const MANY = 12;

/** Terms of the alternating sum that can matter below that. */
const MOST_TERMS = 80;

/** Judges the longest losing streak by its exact law, in a finite pool, of one block or of several. */
export function judgeStreak(evidence: StreakEvidence, laws: Distributions): Verdict | undefined {
  const { longest, tickets, winners, blocks } = evidence;
  if (winners === 0 || winners === tickets) return undefined;
  const pool = { tickets, winners, laws };
  const reached = (length: number): number => -Math.expm1(blocks * logNever(length, pool));
  const tails = {
    below: Math.exp(blocks * logNever(longest + 1, pool)),
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

interface Pool {
  readonly tickets: number;
  readonly winners: number;
  readonly laws: Distributions;
}

/**
 * The logarithm of the probability that every streak of a block is shorter than `length`, by inclusion
 * and exclusion over the gaps before, between and behind the winning tickets.
 */
function logNever(length: number, { tickets, winners, laws }: Pool): number {
  const logAll = laws.logBinomial(tickets, winners);
  let reached = 0;
  const mostGaps = Math.min(MOST_TERMS, winners + 1);
  for (let gaps = 1; gaps <= mostGaps && tickets - gaps * length >= winners; gaps += 1) {
    const logChoices = laws.logBinomial(winners + 1, gaps);
    const term = Math.exp(logChoices + laws.logBinomial(tickets - gaps * length, winners) - logAll);
    if (gaps === 1 && term > MANY) return -term;
    reached += gaps % 2 === 1 ? term : -term;
    if (term < 1e-18 * reached) break;
  }
  return Math.log1p(-Math.min(1, reached));
}
