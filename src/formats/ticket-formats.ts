import type { RecordPattern } from './record-decoder.js';

/** The formats in which a block's tickets are written. */
export type TicketFormat = 'ndjson' | 'csv';

/** All formats, in the order in which a manifest lists their files. */
export const TICKET_FORMATS: readonly TicketFormat[] = ['ndjson', 'csv'];

/** The name of a block's tickets file in one format. */
export function ticketsFileName(format: TicketFormat): string {
  return `tickets.${format}`;
}

/** The first line of `tickets.csv`. */
const CSV_HEADER = 'ticket,prize_cents,combination,grids\n';

/** What a reader expects before the first record. */
export const HEADERS: Readonly<Record<TicketFormat, string>> = { ndjson: '', csv: CSV_HEADER };

/** What a reader expects between the values of a record. */
export const RECORD_PATTERNS: Readonly<Record<TicketFormat, RecordPattern>> = {
  ndjson: {
    beforeNumber: '{"ticket":',
    beforePrize: ',"prize_cents":',
    beforeCombination: ',"combination":"',
    afterCombination: '","grids":[["',
    betweenRows: '","',
    betweenGrids: '"],["',
    end: '"]]}\n',
  },
  csv: {
    beforeNumber: '',
    beforePrize: ',',
    beforeCombination: ',',
    afterCombination: ',',
    betweenRows: '/',
    betweenGrids: '|',
    end: '\n',
  },
};
