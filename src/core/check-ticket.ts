import { InputError, printable } from './errors.js';
import { formatCount } from './money.js';

/**
 * Makes sure that a block has a ticket of this number, which counts from 1.
 *
 * @throws InputError `bad-number`.
 */
export function checkTicket(ticket: number, blockTickets: number): void {
  if (Number.isInteger(ticket) && ticket >= 1 && ticket <= blockTickets) return;
  // Programs without types may hand over a text.
  const shown: unknown = ticket;
  const asText = typeof shown === 'number' ? String(shown) : `${typeof shown} ${String(shown)}`;
  const message = `there is no ticket ${printable(asText, 60)}; choose one from 1 to ${formatCount(blockTickets)}`;
  throw new InputError('bad-number', message);
}
