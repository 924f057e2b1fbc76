import type { Problem } from './problem.js';

/** A problem for each value that stands before it already. */
export function findRepeats(
  values: readonly (string | number)[],
  pointerOf: (index: number) => string,
): readonly Problem[] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    if (first === index) return [];
    const expected = `another value than at ${pointerOf(first)}`;
    return [{ pointer: pointerOf(index), found: String(value), expected }];
  });
}

/** A problem for each value that is not more than the one before it. */
export function findDescents(
  values: readonly number[],
  pointerOf: (index: number) => string,
): readonly Problem[] {
  return values.flatMap((value, index) => {
    const before = values[index - 1];
    if (before === undefined || value > before) return [];
    const expected = `more than ${before}, the value before it`;
    return [{ pointer: pointerOf(index), found: String(value), expected }];
  });
}

/** With this, a weight times a count of tickets stays far below 2^53. */
const MOST_TOTAL_WEIGHT = 1_000_000;

/**
 * The weights of one law: something must be able to happen, and their sum is limited.
 *
 * @param pointer - Where the law stands.
 */
export function checkWeights(weights: readonly number[], pointer: string): readonly Problem[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total > 0 && total <= MOST_TOTAL_WEIGHT) return [];
  const expected =
    total > 0 ? `a sum of weights of at most ${MOST_TOTAL_WEIGHT}` : 'at least one positive weight';
  return [{ pointer, found: `a sum of weights of ${total}`, expected }];
}
