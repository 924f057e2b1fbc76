import type { Measurement } from './evidence.js';
import { BORDER, type WinnerTrace } from './winner-trace.js';
import { sumOf } from '../../core/sum-of.js';

/**
 * Pairs of winning tickets at lags 1 to 20 of which one is the end of a block and the other the
 * beginning of the next. Given how a block ends, the beginning of the next one is a draw without
 * replacement; so the law of the sum is exact, by counting through the tickets one by one.
 *
 * @param traces - In the order in which the blocks are sold.
 */
export function measureBorders(traces: readonly WinnerTrace[]): Measurement {
  let law: readonly number[] = [1];
  let count = 0;
  traces.slice(1).forEach((next, index) => {
    const weights = borderWeights(traces[index]?.tail ?? []);
    const used = next.head.slice(0, weights.length);
    count += used.reduce((sum, wins, place) => sum + wins * (weights[place] ?? 0), 0);
    law = convolve(law, headLaw(next, weights));
  });
  const mean = law.reduce((sum, chance, value) => sum + value * chance, 0);
  const sumFrom = (start: number, end: number): number => sumOf(law.slice(start, end));
  const tails = { below: sumFrom(0, count + 1), above: sumFrom(count, law.length) };
  return {
    name: `winning pairs at lags 1 to ${BORDER} across the border of two blocks`,
    group: 'between blocks',
    evidence: { kind: 'exact', count, mean, tails },
  };
}

/** For each ticket at the beginning of a block: the winning ones of the last that are near enough. */
function borderWeights(tail: readonly number[]): readonly number[] {
  return tail.map((_, place) => sumOf(tail.slice(place)));
}

/** The law of the weights of winning tickets among the first ones, given the block's last ones. */
function headLaw(trace: WinnerTrace, weights: readonly number[]): readonly number[] {
  const { tail, tickets, winners } = trace;
  const places = tickets - tail.length;
  const wins = winners - sumOf(tail);
  const most = sumOf(weights);
  // By winning tickets so far, then by the sum of their weights.
  let states: readonly (readonly number[])[] = [[1]];
  weights.forEach((weight, place) => {
    const next: number[][] = Array.from({ length: place + 2 }, () =>
      new Array<number>(most + 1).fill(0),
    );
    states.forEach((sums, won) => {
      const chance = Math.max(0, wins - won) / Math.max(1, places - place);
      sums.forEach((probability, sum) => {
        add(next[won], sum, probability * (1 - chance));
        add(next[won + 1], sum + weight, probability * chance);
      });
    });
    states = next;
  });
  return Array.from({ length: most + 1 }, (_, sum) =>
    states.reduce((total, sums) => total + (sums[sum] ?? 0), 0),
  );
}

function add(sums: number[] | undefined, index: number, value: number): void {
  if (sums !== undefined && value > 0) sums[index] = (sums[index] ?? 0) + value;
}

function convolve(a: readonly number[], b: readonly number[]): readonly number[] {
  const result = new Array<number>(a.length + b.length - 1).fill(0);
  a.forEach((x, i) => {
    if (x === 0) return;
    b.forEach((y, j) => (result[i + j] = (result[i + j] ?? 0) + x * y));
  });
  return result;
}
