import { makeEncoder } from '../block/make-encoder.js';
import type { PlannedBlock } from '../block/plan-block.js';
import { CHUNK_TICKETS, type TicketChunk } from '../core/ticket-chunk.js';
import { randomStream } from '../engine/random-stream.js';
import { streamKey } from '../engine/stream-key.js';
import { makeSynthesizer } from '../engine/synthesizers.js';
import type { Observations, SymbolAudit } from '../verify/audit/observations.js';
import { RecordFeed } from '../formats/record-feed.js';
import { TicketsObserver } from '../verify/audit/tickets-observer.js';

/** What is wrong with the way in which tickets are drawn; nothing in a right block. */
export interface DrawingFaults {
  /** The index of the chunk whose stream another chunk is drawn from. */
  readonly streamOf?: (chunk: number) => number;
  /** Changes the letters of a drawn chunk. */
  readonly alter?: (chunk: TicketChunk) => void;
}

/** Draws a planned block and observes its records as an audit does, without any file. */
export function observePlanned(
  planned: PlannedBlock,
  audit: SymbolAudit,
  faults: DrawingFaults = {},
): Observations {
  const { game, stake } = planned;
  const observer = new TicketsObserver({ game, stake, audit });
  const feed = new RecordFeed({
    format: 'ndjson',
    grid: game.grid,
    onTicket: (ticket) => observer.take(ticket),
  });
  const encoder = makeEncoder('ndjson', planned);
  const buffer = new Uint8Array(encoder.bufferBytes);
  for (const chunk of drawChunks(planned, faults)) {
    feed.push(buffer.subarray(0, encoder.encode(chunk, buffer)));
  }
  feed.end();
  return observer.finish();
}

function* drawChunks(
  { game, stake, plan, order, identity, seedKey }: PlannedBlock,
  { streamOf = (chunk) => chunk, alter }: DrawingFaults,
): Generator<TicketChunk> {
  const synthesizer = makeSynthesizer({ game, stake, outcomes: plan.outcomes });
  const mostGrids = Math.max(...plan.outcomes.map(({ gridCount }) => gridCount));
  const rows = new Float64Array(CHUNK_TICKETS * mostGrids * game.grid.rows);
  for (let start = 0; start < order.length; start += CHUNK_TICKETS) {
    const outcomes = order.subarray(start, start + CHUNK_TICKETS);
    const key = streamKey(seedKey, identity, 'grids', streamOf(start / CHUNK_TICKETS));
    synthesizer.draw(outcomes, randomStream(identity.engine, key), rows);
    const chunk = { firstTicket: start + 1, outcomes, rows };
    alter?.(chunk);
    yield chunk;
  }
}
