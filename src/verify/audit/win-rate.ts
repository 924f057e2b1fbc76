import { countsEvidence, type CountsEvidence } from './evidence.js';

/** Winning tickets in categories, against one rate for all. */
export function winRateEvidence(
  categories: readonly { readonly tickets: number; readonly winners: number }[],
): CountsEvidence {
  const sizes = categories.map(({ tickets }) => tickets);
  const observed = categories.map(({ winners }) => winners);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const won = observed.reduce((sum, count) => sum + count, 0);
  return countsEvidence({
    observed,
    expected: sizes.map((size) => (size * won) / all),
    sizes,
  });
}
