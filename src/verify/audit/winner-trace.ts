import type { TicketClass } from './ticket-classes.js';

/** Tickets at either end of a block that are compared with those of its neighbours. */
export const BORDER = 20;

/** Which tickets of a block win, as far as other blocks are compared with it. */
export interface WinnerTrace {
  readonly tickets: number;
  readonly winners: number;
  /** One bit for each ticket. */
  readonly bits: Uint32Array;
  /** The first and the last {@link BORDER} tickets: 1 where one wins. */
  readonly head: readonly number[];
  readonly tail: readonly number[];
}

/** Keeps a block's winning tickets in an eighth of a byte each. */
export function traceWinners({ positions, total }: TicketClass): WinnerTrace {
  const bits = new Uint32Array(Math.ceil(total / 32));
  for (const position of positions) {
    const word = position >>> 5;
    bits[word] = (bits[word] ?? 0) | (1 << (position & 31));
  }
  const wins = (position: number): number => ((bits[position >>> 5] ?? 0) >>> (position & 31)) & 1;
  const border = Math.min(BORDER, total);
  const head = Array.from({ length: border }, (_, index) => wins(index));
  const tail = Array.from({ length: border }, (_, index) => wins(total - border + index));
  return { tickets: total, winners: positions.length, bits, head, tail };
}
