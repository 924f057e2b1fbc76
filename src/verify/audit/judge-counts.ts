import { formatCount } from '../../core/money.js';
import { devianceCumulants, deviance, devianceOf } from './deviance.js';
import type { Cumulants, Distributions } from './distributions.js';
import type { CountsEvidence, CountsStratum } from './evidence.js';
import type { Verdict } from './verdict.js';

/** Categories that expect less are put together: of independent draws, and of tables with a scale. */
const LEAST_EXPECTED = { draws: 5, scaled: 200 };

/** Tables with so few degrees and so small an expectation take few values. */
const FEW = { degrees: 2, expected: 1000 };

/** One category of a table, or several that were put together. */
interface Cell {
  observed: number;
  expected: number;
  size: number;
}

/** What one table adds to the statistic and to its cumulants. */
interface Part extends Cumulants {
  readonly statistic: number;
  readonly degrees: number;
  readonly cells: number;
  readonly leastExpected: number;
}

/**
 * Judges tables of counts by the sum of their deviances (likelihood ratio, G), whose first three
 * cumulants are known exactly up to terms that do not matter.
 */
export function judgeCounts(evidence: CountsEvidence, laws: Distributions): Verdict | undefined {
  const isSingle = evidence.strata.size === 1;
  const parts = [...evidence.strata.values()]
    .map((stratum) => judgeStratum(stratum, isSingle))
    .filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  const total = (of: (part: Part) => number): number =>
    parts.reduce((sum, part) => sum + of(part), 0);
  const statistic = total((part) => part.statistic);
  const degrees = total((part) => part.degrees);
  const cumulants = {
    mean: total((part) => part.mean),
    variance: total((part) => part.variance),
    third: total((part) => part.third),
  };
  const leastExpected = parts.reduce(
    (least, part) => Math.min(least, part.leastExpected),
    Infinity,
  );
  const cells = formatCount(total((part) => part.cells));
  return {
    statistic,
    degrees,
    tails: laws.byCumulants(statistic, cumulants),
    isTwoSided: evidence.isTwoSided,
    isDiscrete: degrees <= FEW.degrees && leastExpected < FEW.expected,
    note: `${cells} categories of at least ${leastExpected.toFixed(1)} expected`,
  };
}

/** @param isSingle - Whether the statistic is of this table alone. */
function judgeStratum(stratum: CountsStratum, isSingle: boolean): Part | undefined {
  const { scale, constrained = 0 } = stratum;
  const found = cellsOf(
    stratum,
    scale === undefined ? LEAST_EXPECTED.draws : LEAST_EXPECTED.scaled,
  );
  if (found.length < 2) return undefined;
  const degrees = found.length - 1 - constrained;
  const leastExpected = found.reduce((least, cell) => Math.min(least, cell.expected), Infinity);
  const isStepwise = isSingle && found.length === 2 && leastExpected < FEW.expected;
  const cells = isStepwise ? found.map(halfACountCloser) : found;
  const common = { degrees, leastExpected, cells: cells.length };
  if (scale !== undefined) return { ...common, ...pearson(cells, scale, degrees) };
  const cumulants = fixedTotalCumulants(cells);
  // Of the degree that is partly taken away, so much is left.
  const left = 1 - constrained;
  return {
    ...common,
    statistic: cells.reduce((sum, cell) => sum + cellDeviance(cell), 0),
    mean: cumulants.mean - constrained,
    variance: cumulants.variance - 2 * (1 - left ** 2),
    third: cumulants.third - 8 * (1 - left ** 3),
  };
}

/** The statistic of two categories moves in steps; this makes its p-value a bound. */
function halfACountCloser(cell: Cell): Cell {
  const difference = cell.observed - cell.expected;
  const closer = Math.sign(difference) * Math.max(0, Math.abs(difference) - 0.5);
  return { ...cell, observed: cell.expected + closer };
}

/** Pearson's sum over its scale: as right as the normal law of its counts, which must be large. */
function pearson(
  cells: readonly Cell[],
  scale: number,
  degrees: number,
): Cumulants & { readonly statistic: number } {
  const statistic = cells.reduce(
    (sum, { observed, expected }) => sum + (observed - expected) ** 2 / expected / scale,
    0,
  );
  return { statistic, mean: degrees, variance: 2 * degrees, third: 8 * degrees };
}

/**
 * The sum over independent counts, less the deviance of their total: with a fixed total (without
 * replacement: fixed both by places and by marked ones) that part is missing.
 */
function fixedTotalCumulants(cells: readonly Cell[]): Cumulants {
  const whole = { expected: 0, size: 0 };
  const sums = { mean: 0, variance: 0, third: 0 };
  for (const { expected, size } of cells) {
    const { mean, variance, third } = devianceCumulants(expected, size);
    sums.mean += mean;
    sums.variance += variance;
    sums.third += third;
    whole.expected += expected;
    whole.size += size;
  }
  const ofTotal = devianceCumulants(whole.expected, whole.size);
  return {
    mean: sums.mean - ofTotal.mean,
    variance: sums.variance - ofTotal.variance,
    third: sums.third - ofTotal.third,
  };
}

function cellDeviance({ observed, expected, size }: Cell): number {
  return size === Infinity ? deviance(observed, expected) : devianceOf(observed, expected, size);
}

/** The categories of a table, with those that expect too little put together. */
function cellsOf(
  { observed, expected, sizes }: CountsStratum,
  leastExpected: number,
): readonly Cell[] {
  const cells: Cell[] = [];
  const rest: Cell = { observed: 0, expected: 0, size: 0 };
  for (let index = 0; index < expected.length; index += 1) {
    const cell = {
      observed: observed[index] ?? 0,
      expected: expected[index] ?? 0,
      size: sizes === undefined ? Infinity : (sizes[index] ?? 0),
    };
    if (leastOf(cell) >= leastExpected) cells.push(cell);
    else addTo(rest, cell);
  }
  if (leastOf(rest) >= leastExpected) cells.push(rest);
  else addToSmallest(cells, rest);
  return cells;
}

/** What is there and what is not must both be expected often enough. */
function leastOf({ expected, size }: Cell): number {
  return Math.min(expected, size - expected);
}

function addTo(cell: Cell, other: Cell): void {
  cell.observed += other.observed;
  cell.expected += other.expected;
  cell.size += other.size;
}

function addToSmallest(cells: readonly Cell[], rest: Cell): void {
  const smallest = cells.reduce<Cell | undefined>(
    (least, cell) => (least === undefined || cell.expected < least.expected ? cell : least),
    undefined,
  );
  if (smallest !== undefined) addTo(smallest, rest);
}
