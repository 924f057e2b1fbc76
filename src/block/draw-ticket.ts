import { assert, defined } from '../core/assert.js';
import { checkTicket } from '../core/check-ticket.js';
import { ROW_BYTES } from '../core/row-text.js';
import { CHUNK_TICKETS } from '../core/ticket-chunk.js';
import { ChunkDrawer } from './chunk-drawer.js';
import type { TicketRecord } from '../formats/ticket-record.js';
import type { PlannedBlock } from './plan-block.js';

/**
 * Makes one ticket of a planned block without any file: only its chunk is drawn.
 *
 * @param ticket - Its number, from 1.
 * @throws InputError `bad-number` where the block has no such ticket.
 */
export function drawTicket(planned: PlannedBlock, ticket: number): TicketRecord {
  const { game, order, plan } = planned;
  checkTicket(ticket, order.length);
  const index = Math.floor((ticket - 1) / CHUNK_TICKETS);
  const { firstTicket, outcomes, rows } = new ChunkDrawer(planned).draw(index);
  const gridCountOf = (outcome: number): number => plan.outcomes[outcome]?.gridCount ?? 0;
  const before = outcomes.subarray(0, ticket - firstTicket);
  const gridsBefore = before.reduce((sum, outcome) => sum + gridCountOf(outcome), 0);
  const outcome = defined(plan.outcomes[order[ticket - 1] ?? 0], 'the outcome of a ticket');
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
