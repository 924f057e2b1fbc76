import { setImmediate } from 'node:timers/promises';
import { defined } from '../core/assert.js';
import { ROW_BYTES } from '../core/row-text.js';
import { CHUNK_TICKETS, type TicketChunk } from '../core/ticket-chunk.js';
import type { TicketRecord } from '../formats/ticket-record.js';
import { ticketRange, type TicketRange } from '../verify/ticket-range.js';
import { ChunkDrawer } from './chunk-drawer.js';
import type { PlannedBlock } from './plan-block.js';

/**
 * Which tickets of a planned block are made, and how that is stopped.
 *
 * @group Tickets
 */
export interface StreamTicketsOptions extends TicketRange {
  /** Ends the iteration with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the tickets of a planned block one after the other, in the order of the block, without any file.
 * They are the tickets that {@link generateBlock} writes. A chunk of 4,096 is drawn when its first ticket
 * is asked for, and none is drawn ahead.
 *
 * @param planned - What {@link planBlock} returns. Its iterations do not disturb each other.
 * @returns One iteration. Nothing has been judged: {@link streamBlock} and {@link generateBlock} verify what they
 * hand out.
 * @throws InputError `bad-number` at once, where the block does not have the tickets of the range; the signal's reason when a
 * ticket is asked for.
 * @example
 * ```ts
 * import { loadDefinitionFile, planBlock, streamTickets } from 'gen-block';
 *
 * const seed = Buffer.from('for tests only');
 * const game = loadDefinitionFile('my-game.json');
 * const planned = await planBlock({
 *   ...{ game, stakeCents: 100, seed },
 *   ...{ engine: 'chacha20', emission: 2, block: 1 },
 * });
 * let winners = 0;
 * for await (const { prize_cents } of streamTickets(planned)) if (prize_cents > 0) winners += 1;
 * console.log(winners); // → 103
 * ```
 * @group Tickets
 */
export function streamTickets(
  planned: PlannedBlock,
  options: StreamTicketsOptions = {},
): AsyncGenerator<TicketRecord, void, undefined> {
  const range = ticketRange(options, planned.order.length);
  return drawRange(planned, range, options.signal);
}

async function* drawRange(
  planned: PlannedBlock,
  { first, last }: { readonly first: number; readonly last: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<TicketRecord, void, undefined> {
  const drawer = new ChunkDrawer(planned);
  for (let next = first; next <= last;) {
    // Other work, such as what aborts the signal, gets its turn.
    await setImmediate();
    signal?.throwIfAborted();
    const chunk = drawer.draw(Math.floor((next - 1) / CHUNK_TICKETS));
    for (const record of recordsIn(chunk, planned)) {
      if (record.ticket < next) continue;
      if (record.ticket > last) return;
      signal?.throwIfAborted();
      yield record;
    }
    next = chunk.firstTicket + CHUNK_TICKETS;
  }
}

/** The records of a chunk one by one; they are on their own, whatever becomes of the chunk. */
function* recordsIn(
  { firstTicket, outcomes, rows }: TicketChunk,
  { game, plan }: PlannedBlock,
): Generator<TicketRecord, void, undefined> {
  // One text for all rows, which is cut: a call for each row would cost more than the row.
  const text = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength).toString('latin1');
  let row = 0;
  const nextRow = (): string => {
    const start = row * ROW_BYTES;
    row += 1;
    return text.slice(start, start + game.grid.columns);
  };
  for (const [index, outcomeIndex] of outcomes.entries()) {
    const outcome = defined(plan.outcomes[outcomeIndex], 'the outcome of a ticket');
    const { prizeCents, combination, gridCount } = outcome;
    const grids = Array.from({ length: gridCount }, () =>
      Array.from({ length: game.grid.rows }, nextRow),
    );
    yield { ticket: firstTicket + index, prize_cents: prizeCents, combination, grids };
  }
}
