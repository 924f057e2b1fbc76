import { CHUNK_TICKETS } from '../../core/ticket-chunk.js';
import { eventsEvidence, type Measurement } from './evidence.js';
import type { RowsCounts } from './rows-counts.js';
import type { RowsLaw } from './rows-law.js';

/** Distances at which tickets could repeat each other's first row. */
const LAGS = [
  { name: 'the 20 tickets before', lags: Array.from({ length: 20 }, (_, index) => index + 1) },
  { name: `the ticket ${CHUNK_TICKETS} before`, lags: [CHUNK_TICKETS] },
];

/** First rows that are the same as an earlier ticket's, among losing ones without EXTRA. */
export function measureRowsRepeats(
  { firstRows }: RowsCounts,
  law: RowsLaw,
): readonly Measurement[] {
  const plain = law.kinds.indexOf(law.plain);
  const rows = new Int32Array(firstRows.length);
  firstRows.forEach((code, ticket) => (rows[ticket] = law.kindOf[code] === plain ? code : -1));
  return LAGS.map(({ name, lags }): Measurement => {
    const counts = lags.map((lag) => countRepeats(rows, lag));
    const repeats = counts.reduce((sum, count) => sum + count.repeats, 0);
    const trials = counts.reduce((sum, count) => sum + count.trials, 0);
    const probability = 1 / law.plain.codes.length;
    return {
      name: `first row the same as of ${name}`,
      group: 'duplicates',
      evidence: eventsEvidence(repeats, [{ trials, probability }]),
    };
  });
}

/** Pairs of tickets that far apart whose rows are known, and how many of them are the same. */
function countRepeats(
  rows: Int32Array,
  lag: number,
): { readonly trials: number; readonly repeats: number } {
  let trials = 0;
  let repeats = 0;
  for (let ticket = lag; ticket < rows.length; ticket += 1) {
    const code = rows[ticket] ?? -1;
    const other = rows[ticket - lag] ?? -1;
    if (code >= 0 && other >= 0) trials += 1;
    if (code >= 0 && code === other) repeats += 1;
  }
  return { trials, repeats };
}
