import type { FormatterOptionsArgs } from 'fast-csv';
import type { TicketRecord } from '../formats/ticket-record.js';

/** The forms in which tickets can be had for other tools. */
export const DIALECT_IDS = ['excel-fr', 'long'] as const;

export type DialectId = (typeof DIALECT_IDS)[number];

export function isDialectId(text: string): text is DialectId {
  return DIALECT_IDS.some((id) => id === text);
}

type Row = readonly (string | number)[];

/** How tickets are written for another tool. */
export interface Dialect {
  readonly header: Row;
  /** The rows of a ticket. */
  rowsOf(record: TicketRecord): readonly Row[];
  readonly options: FormatterOptionsArgs<string[], string[]>;
  /** Tickets that the tool has room for; no limit where it is left out. */
  readonly mostTickets?: number;
}

const DIALECTS: Readonly<Record<DialectId, Dialect>> = {
  // As Excel in French opens it by a double click: one row per ticket, prizes in euros.
  'excel-fr': {
    header: ['ticket', 'lot_eur', 'combinaison', 'grilles'],
    rowsOf: ({ ticket, prize_cents, combination, grids }) => [
      [ticket, (prize_cents / 100).toFixed(2).replace('.', ','), combination, gridsText(grids)],
    ],
    options: { delimiter: ';', rowDelimiter: '\r\n', writeBOM: true },
    // A sheet has 2^20 rows, of which one is the header.
    mostTickets: 1_048_575,
  },
  // One row per row of a grid, for statistics programs; grids and rows count from 1.
  long: {
    header: ['ticket', 'prize_cents', 'combination', 'grid', 'row', 'symbols'],
    rowsOf: ({ ticket, prize_cents, combination, grids }) =>
      grids.flatMap((rows, grid) =>
        rows.map((symbols, row) => [ticket, prize_cents, combination, grid + 1, row + 1, symbols]),
      ),
    options: { delimiter: ',', rowDelimiter: '\n' },
  },
};

/** A dialect by its name. */
export function dialectOf(id: DialectId): Dialect {
  return DIALECTS[id];
}

/** Rows apart by `/` and grids by `|`, as in the block's own `tickets.csv`. */
function gridsText(grids: TicketRecord['grids']): string {
  return grids.map((rows) => rows.join('/')).join('|');
}
