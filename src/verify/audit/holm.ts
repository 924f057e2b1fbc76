/** A test that Holm's step-down procedure rejects, and the p-value that it was held to. */
export interface Rejection<T> {
  readonly test: T;
  /** The p-value times the number of tests that it competed with. */
  readonly adjustedP: number;
}

/**
 * Holm's procedure: the tests whose hypotheses are rejected, smallest p-value first, so that the chance
 * of rejecting any true one is at most `alpha`, however the tests depend on each other. The first is
 * rejected where the smallest p-value is at most alpha over the number of tests.
 */
export function rejectByHolm<T extends { readonly pValue: number }>(
  tests: readonly T[],
  alpha: number,
): readonly Rejection<T>[] {
  const rejections: Rejection<T>[] = [];
  let adjustedP = 0;
  const sorted = tests.toSorted((a, b) => a.pValue - b.pValue);
  for (const [index, test] of sorted.entries()) {
    adjustedP = Math.max(adjustedP, Math.min(1, test.pValue * (tests.length - index)));
    if (adjustedP > alpha) break;
    rejections.push({ test, adjustedP });
  }
  return rejections;
}
