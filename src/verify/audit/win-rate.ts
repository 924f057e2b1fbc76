import { countsEvidence, type CountsEvidence } from './evidence.js';
import { sumOf } from '../../core/sum-of.js';

/** Winning tickets in categories, against one rate for all. */
export function winRateEvidence(
  categories: readonly { readonly tickets: number; readonly winners: number }[],
): CountsEvidence {
  const sizes = categories.map(({ tickets }) => tickets);
  const observed = categories.map(({ winners }) => winners);
  const all = sumOf(sizes);
  const won = sumOf(observed);
  return countsEvidence({
    observed,
    expected: sizes.map((size) => (all === 0 ? 0 : (size * won) / all)),
    sizes,
  });
}
