import { formatCount } from '../../core/money.js';
import type { Distributions } from './distributions.js';
import type { VectorEvidence } from './evidence.js';
import type { Verdict } from './verdict.js';

/** Sums of smaller variance are not normal enough far out; they are left to their complement. */
const LEAST_VARIANCE = 200;

/**
 * Judges sums that add up to a fixed total by their Mahalanobis distance from the expectation. One of
 * them is left out, since it follows from the others: the largest.
 */
export function judgeVector(evidence: VectorEvidence, laws: Distributions): Verdict | undefined {
  const { observed, expected, covariance } = evidence;
  const size = expected.length;
  const indexes = judgedIndexes(evidence);
  if (indexes.length === 0) return undefined;
  const differences = indexes.map((index) => (observed[index] ?? 0) - (expected[index] ?? 0));
  const matrix = indexes.map((row) =>
    indexes.map((column) => covariance[row * size + column] ?? 0),
  );
  const { form: statistic, rank: degrees } = inverseForm(matrix, differences);
  const cumulants = { mean: degrees, variance: 2 * degrees, third: 8 * degrees };
  const least = indexes.reduce((most, index) => Math.min(most, expected[index] ?? 0), Infinity);
  return {
    statistic,
    degrees,
    tails: laws.byCumulants(statistic, cumulants),
    isTwoSided: false,
    isDiscrete: false,
    note: `${degrees + 1} sums, ${formatCount(Math.round(least))} or more expected`,
  };
}

function judgedIndexes({ expected, covariance }: VectorEvidence): readonly number[] {
  const size = expected.length;
  const indexes = Array.from({ length: size }, (_, index) => index);
  const largest = indexes.reduce(
    (best, index) => ((expected[index] ?? 0) > (expected[best] ?? 0) ? index : best),
    0,
  );
  const varianceOf = (index: number): number => covariance[index * size + index] ?? 0;
  return indexes.filter((index) => index !== largest && varianceOf(index) >= LEAST_VARIANCE);
}

/** What is left of a variance once it follows from the sums before: rounding. */
const DEPENDENT = 1e-9;

/** The quadratic form x' M^-1 x of a covariance matrix, by elimination, and the matrix's rank. */
function inverseForm(
  matrix: readonly (readonly number[])[],
  vector: readonly number[],
): { readonly form: number; readonly rank: number } {
  const rows = matrix.map((row, index) => [...row, vector[index] ?? 0]);
  let form = 0;
  let rank = 0;
  rows.forEach((pivotRow, pivot) => {
    const diagonal = pivotRow[pivot] ?? 0;
    if (diagonal <= DEPENDENT * (matrix[pivot]?.[pivot] ?? 0)) return;
    form += (pivotRow.at(-1) ?? 0) ** 2 / diagonal;
    rank += 1;
    for (const row of rows.slice(pivot + 1)) {
      const factor = (row[pivot] ?? 0) / diagonal;
      pivotRow.forEach((value, column) => (row[column] = (row[column] ?? 0) - factor * value));
    }
  });
  return { form, rank };
}
