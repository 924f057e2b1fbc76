import { bitCount } from './bit-count.js';
import type { Cumulants, Distributions } from './distributions.js';
import { measureDuplicatesBetween } from './duplicates.js';
import type { ExactEvidence, Measurement } from './evidence.js';
import { measureBorders } from './measure-borders.js';
import type { MeasuredBlock } from './measure-block.js';
import type { WinnerTrace } from './winner-trace.js';

/**
 * Measures blocks of one game and stake against each other: common places of winning tickets, winning
 * tickets across the border of one block and the next, and common tickets.
 *
 * @param blocks - In the order in which they are sold.
 */
export function measureBetween(
  blocks: readonly MeasuredBlock[],
  laws: Distributions,
): readonly Measurement[] {
  const traces = blocks.map(({ trace }) => trace);
  return [
    ...measureOverlaps(traces, laws),
    measureBorders(traces),
    measureDuplicatesBetween(blocks),
  ];
}

/** How many places win in two blocks, and what the law expects. */
interface Overlap extends Cumulants {
  readonly count: number;
}

/**
 * How many places win in two blocks: hypergeometric for each pair of blocks. Once all pairs together,
 * which are uncorrelated, and once the pair that is furthest from what is expected.
 */
function measureOverlaps(
  traces: readonly WinnerTrace[],
  laws: Distributions,
): readonly Measurement[] {
  const pairs = traces.flatMap((trace, index) =>
    traces
      .slice(index + 1)
      .map((other) => ({ count: overlap(trace, other), ...overlapCumulants(trace, other) })),
  );
  const sum = (of: (pair: Overlap) => number): number =>
    pairs.reduce((total, pair) => total + of(pair), 0);
  const name = 'places that win in two blocks';
  return [
    {
      name: `${name}: all pairs`,
      group: 'between blocks',
      evidence: {
        kind: 'events',
        count: sum(({ count }) => count),
        mean: sum(({ mean }) => mean),
        variance: sum(({ variance }) => variance),
        third: sum(({ third }) => third) + tripleThird(traces),
      },
    },
    {
      name: `${name}: the most unusual pair`,
      group: 'between blocks',
      evidence: mostUnusual(pairs, laws),
    },
  ];
}

/** The pair that is furthest out, on either side; that any of so many is, has the sum of their chances. */
function mostUnusual(pairs: readonly Overlap[], laws: Distributions): ExactEvidence {
  let least = Infinity;
  let most: ExactEvidence = { kind: 'exact', count: 0, mean: 0, tails: { below: 1, above: 1 } };
  for (const pair of pairs) {
    const { count, mean, variance } = pair;
    // Where all tickets win, or none, all pairs are the same.
    if (variance === 0) continue;
    // Half a place closer: counts move in steps, and these p-values are bounds.
    const below = Math.min(1, pairs.length * laws.byCumulants(count + 0.5, pair).below);
    const above = Math.min(1, pairs.length * laws.byCumulants(count - 0.5, pair).above);
    if (Math.min(below, above) >= least) continue;
    least = Math.min(below, above);
    most = { kind: 'exact', count, mean, tails: { below, above } };
  }
  return most;
}

function overlap({ bits }: WinnerTrace, other: WinnerTrace): number {
  let count = 0;
  for (let word = 0; word < bits.length; word += 1) {
    count += bitCount((bits[word] ?? 0) & (other.bits[word] ?? 0));
  }
  return count;
}

function overlapCumulants({ tickets, winners }: WinnerTrace, other: WinnerTrace): Cumulants {
  const share = winners / tickets;
  const otherShare = other.winners / tickets;
  const mean = winners * otherShare;
  const variance = (mean * (1 - share) * (1 - otherShare) * tickets) / (tickets - 1);
  return { mean, variance, third: variance * (1 - 2 * share) * (1 - 2 * otherShare) };
}

/** Three blocks that have places in common have them in all three pairs at once. */
function tripleThird(traces: readonly WinnerTrace[]): number {
  const [first] = traces;
  if (first === undefined) return 0;
  const share = first.winners / first.tickets;
  const triples = (traces.length * (traces.length - 1) * (traces.length - 2)) / 6;
  return 6 * triples * first.tickets * (share * (1 - share)) ** 3;
}
