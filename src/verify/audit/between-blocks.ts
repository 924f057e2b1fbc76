import { bitCount } from './bit-count.js';
import type { Cumulants, Distributions } from './distributions.js';
import { measureDuplicatesBetween } from './duplicates.js';
import type { Measurement } from './evidence.js';
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

/**
 * How many places win in two blocks: hypergeometric for each pair of blocks. Once all pairs together,
 * which are uncorrelated, and once the pair that has most in common.
 */
function measureOverlaps(
  traces: readonly WinnerTrace[],
  laws: Distributions,
): readonly Measurement[] {
  const pairs = traces.flatMap((trace, index) =>
    traces.slice(index + 1).map((other) => ({
      count: overlap(trace, other),
      ...overlapCumulants(trace, other),
    })),
  );
  const sums = { count: 0, mean: 0, variance: 0, third: 0 };
  let above = 1;
  let most = pairs[0];
  for (const pair of pairs) {
    sums.count += pair.count;
    sums.mean += pair.mean;
    sums.variance += pair.variance;
    sums.third += pair.third;
    const tail = laws.byCumulants(pair.count, pair).above;
    if (tail >= above) continue;
    above = tail;
    most = pair;
  }
  sums.third += tripleThird(traces);
  const name = 'places that win in two blocks';
  return [
    { name: `${name}: all pairs`, group: 'between blocks', evidence: { kind: 'events', ...sums } },
    {
      name: `${name}: the pair with most`,
      group: 'between blocks',
      evidence: {
        kind: 'exact',
        count: most?.count ?? 0,
        mean: most?.mean ?? 0,
        tails: { below: 1, above: Math.min(1, above * pairs.length) },
      },
    },
  ];
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
