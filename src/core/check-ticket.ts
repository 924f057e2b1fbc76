import { InputError } from './errors.js';
import { formatCount } from './money.js';

/**
 * Makes sure that a block has a ticket of this number, which counts from 1.
 *
 * @throws InputError `bad-number`.
 */
export function checkTicket(ticket: number, blockTickets: number): void {
  if (Number.isInteger(ticket) && ticket >= 1 && ticket <= blockTickets) return;
  const message = `there is no ticket ${ticket}; choose one from 1 to ${formatCount(blockTickets)}`;
  throw new InputError('bad-number', message);
}
