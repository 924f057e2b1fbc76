/** Tickets in a chunk, the unit that is drawn from one stream; part of the algorithm. */
export const CHUNK_TICKETS = 4096;

/** The drawn tickets of one chunk, ready for the encoders. */
export interface TicketChunk {
  /** Number of the first ticket, from 1. */
  readonly firstTicket: number;
  /** The outcome index of each ticket; its length is the number of tickets. */
  readonly outcomes: Uint16Array;
  /** The rows of all grids of all tickets, in order, each packed as `row-text.ts` says. */
  readonly rows: Float64Array;
}
