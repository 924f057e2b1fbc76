import type { ReadTicket } from './record-feed.js';

/**
 * One ticket, with the fields and the order of its NDJSON record.
 *
 * @group Tickets
 */
export interface TicketRecord {
  /** Its number in the block, from 1. */
  readonly ticket: number;
  /** 0 where it loses. */
  readonly prize_cents: number;
  /** What wins: counts and symbols joined by `+`, highest amount first, or the number of chosen symbols. Empty where it loses. */
  readonly combination: string;
  /** Rows of letters, grid after grid. */
  readonly grids: readonly (readonly string[])[];
}

/** The record of a ticket that has been read, on its own: the buffer may be used again. */
export function ticketRecord(
  { window, record }: ReadTicket,
  grid: { readonly rows: number; readonly columns: number },
): TicketRecord {
  const { ticket, prizeCents, combinationStart, combinationEnd, gridCount, rowStarts } = record;
  const { bytes } = window;
  const text = (start: number, end: number): string =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', start, end);
  return {
    ticket,
    prize_cents: prizeCents,
    combination: text(combinationStart, combinationEnd),
    grids: Array.from({ length: gridCount }, (_, index) =>
      Array.from({ length: grid.rows }, (__, row) => {
        const start = rowStarts[index * grid.rows + row] ?? 0;
        return text(start, start + grid.columns);
      }),
    ),
  };
}
