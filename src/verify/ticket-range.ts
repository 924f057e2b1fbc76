import { checkTicket } from '../core/check-ticket.js';
import { InputError } from '../core/errors.js';

/**
 * A run of tickets of a block.
 *
 * @group Tickets
 */
export interface TicketRange {
  /** The number of its first ticket; 1 where it is left out. */
  readonly from?: number | undefined;
  /** The number of its last ticket, which belongs to it; the block's last one where it is left out. */
  readonly to?: number | undefined;
}

/**
 * The first and the last number of a run of tickets.
 *
 * @param blockTickets - How many tickets the block has.
 * @throws InputError `bad-number` where the block does not have all of them, or the run ends before it begins.
 */
export function ticketRange(
  { from = 1, to }: TicketRange,
  blockTickets: number,
): { readonly first: number; readonly last: number } {
  const last = to ?? blockTickets;
  for (const ticket of [from, last]) checkTicket(ticket, blockTickets);
  if (from <= last) return { first: from, last };
  const message = `there are no tickets from ${from} to ${last}; give the smaller number first`;
  throw new InputError('bad-number', message);
}
