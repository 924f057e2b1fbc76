import { assert, defined } from '../core/assert.js';
import { checkTicket } from '../core/check-ticket.js';
import { ROW_BYTES } from '../core/row-text.js';
import { CHUNK_TICKETS, type TicketChunk } from '../core/ticket-chunk.js';
import { ChunkDrawer } from './chunk-drawer.js';
import type { TicketRecord } from '../formats/ticket-record.js';
import type { PlannedBlock } from './plan-block.js';

/**
 * Makes one ticket of a planned block without any file: only its chunk is drawn.
 *
 * @param planned - What {@link planBlock} returns.
 * @param ticket - Its number, from 1.
 * @returns Its record, as it stands in the block.
 * @throws InputError `bad-number` where the block has no such ticket.
 * @group Tickets
 */
export function drawTicket(planned: PlannedBlock, ticket: number): TicketRecord {
  return defined(drawTickets(planned, [ticket])[0], 'the ticket that was asked for');
}

/**
 * Makes some tickets of a planned block without any file: each of their chunks is drawn once.
 *
 * @param planned - What {@link planBlock} returns.
 * @param tickets - Their numbers, from 1.
 * @returns Their records, in the order in which they are asked for.
 * @throws InputError `bad-number` where the block has no such ticket.
 * @group Tickets
 */
export function drawTickets(
  planned: PlannedBlock,
  tickets: readonly number[],
): readonly TicketRecord[] {
  for (const ticket of tickets) checkTicket(ticket, planned.order.length);
  const drawer = new ChunkDrawer(planned);
  const records = new Map<number, TicketRecord>();
  let chunk: TicketChunk | undefined;
  for (const ticket of tickets.toSorted((a, b) => a - b)) {
    const index = Math.floor((ticket - 1) / CHUNK_TICKETS);
    if (chunk?.firstTicket !== index * CHUNK_TICKETS + 1) chunk = drawer.draw(index);
    records.set(ticket, recordIn(chunk, planned, ticket));
  }
  return tickets.map((ticket) => defined(records.get(ticket), 'a ticket that was drawn'));
}

function recordIn(
  { firstTicket, outcomes, rows }: TicketChunk,
  { game, plan }: PlannedBlock,
  ticket: number,
): TicketRecord {
  const gridCountOf = (outcome: number): number => plan.outcomes[outcome]?.gridCount ?? 0;
  const before = outcomes.subarray(0, ticket - firstTicket);
  const gridsBefore = before.reduce((sum, outcome) => sum + gridCountOf(outcome), 0);
  const index = defined(outcomes[ticket - firstTicket], 'a ticket of its chunk');
  const outcome = defined(plan.outcomes[index], 'the outcome of a ticket');
  assert(outcome.gridCount > 0, 'a ticket has a grid');
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
  const rowAt = (row: number): string => {
    const start = row * ROW_BYTES;
    return bytes.toString('ascii', start, start + game.grid.columns);
  };
  return {
    ticket,
    prize_cents: outcome.prizeCents,
    combination: outcome.combination,
    grids: Array.from({ length: outcome.gridCount }, (_, grid) =>
      Array.from({ length: game.grid.rows }, (__, row) =>
        rowAt((gridsBefore + grid) * game.grid.rows + row),
      ),
    ),
  };
}
