import { CHUNK_TICKETS } from '../../core/ticket-chunk.js';
import { pairsEvidence, type Measurement } from './evidence.js';
import type { RowsCounts } from './rows-counts.js';
import type { RowsLaw } from './rows-law.js';

/** Tickets that are compared with each one's first row. */
const NEAR = 20;

const NEAR_LAGS = Array.from({ length: NEAR }, (_, index) => index + 1);

/** First rows that are the same as an earlier ticket's, among losing ones without EXTRA. */
export function measureRowsRepeats(
  { firstRows }: Pick<RowsCounts, 'firstRows'>,
  law: RowsLaw,
): readonly Measurement[] {
  const plain = law.kinds.indexOf(law.plain);
  const rows = new Int32Array(firstRows.length);
  firstRows.forEach((code, ticket) => {
    rows[ticket] = law.kindOf[code] === plain ? code : NO_ROW;
  });
  const measure = (which: string, lags: readonly number[], triples: number): Measurement => {
    const { pairs, repeats } = countRepeats(rows, lags);
    const chance = 1 / law.plain.codes.length;
    return {
      name: `first row the same as of ${which}`,
      group: 'order',
      evidence: pairsEvidence(repeats, [{ pairs, triples, chance }]),
    };
  };
  return [
    measure(`the ${NEAR} tickets before`, NEAR_LAGS, nearTriples(rows)),
    measure(`the ticket ${CHUNK_TICKETS} before`, [CHUNK_TICKETS], 0),
  ];
}

/** The first row of a ticket that is of another kind. */
const NO_ROW = -1;

/** Pairs of tickets at these lags whose rows are known, and how many of them are the same. */
function countRepeats(
  rows: Int32Array,
  lags: readonly number[],
): { readonly pairs: number; readonly repeats: number } {
  let pairs = 0;
  let repeats = 0;
  for (const lag of lags) {
    for (let ticket = lag; ticket < rows.length; ticket += 1) {
      const code = rows[ticket] ?? NO_ROW;
      const other = rows[ticket - lag] ?? NO_ROW;
      if (code !== NO_ROW && other !== NO_ROW) pairs += 1;
      if (code !== NO_ROW && code === other) repeats += 1;
    }
  }
  return { pairs, repeats };
}

/** Three tickets whose rows are known, of which every two are near each other. */
function nearTriples(rows: Int32Array): number {
  let triples = 0;
  let before = 0;
  rows.forEach((code, ticket) => {
    if (code !== NO_ROW) triples += (before * (before - 1)) / 2;
    if (code !== NO_ROW) before += 1;
    if ((rows[ticket - NEAR] ?? NO_ROW) !== NO_ROW) before -= 1;
  });
  return triples;
}
