import { CHUNK_TICKETS, type TicketChunk } from '../core/ticket-chunk.js';
import { randomStream } from '../engine/random-stream.js';
import { streamKey } from '../engine/stream-key.js';
import type { Synthesizer } from '../engine/synthesizer.js';
import { makeSynthesizer } from '../engine/synthesizers.js';
import type { PlannedBlock } from './plan-block.js';

/** Draws the symbols of a planned block, one chunk at a time, in any order. */
export class ChunkDrawer {
  /** Chunks of the block; the last one may be shorter than the others. */
  readonly chunkCount: number;
  readonly #planned: PlannedBlock;
  readonly #synthesizer: Synthesizer;
  readonly #rows: Float64Array;

  constructor(planned: PlannedBlock) {
    const { game, stake, plan, order } = planned;
    this.#planned = planned;
    this.chunkCount = Math.ceil(order.length / CHUNK_TICKETS);
    this.#synthesizer = makeSynthesizer({ game, stake, outcomes: plan.outcomes });
    const mostGrids = plan.outcomes.reduce((most, { gridCount }) => Math.max(most, gridCount), 0);
    const mostTickets = Math.min(CHUNK_TICKETS, order.length);
    this.#rows = new Float64Array(mostTickets * mostGrids * game.grid.rows);
  }

  /**
   * Draws one chunk out of its own stream.
   *
   * @param index - From 0.
   * @returns The tickets; they hold until the next call.
   */
  draw(index: number): TicketChunk {
    const { order, identity, seedKey } = this.#planned;
    const outcomes = order.subarray(index * CHUNK_TICKETS, (index + 1) * CHUNK_TICKETS);
    const stream = randomStream(identity.engine, streamKey(seedKey, identity, 'grids', index));
    this.#synthesizer.draw(outcomes, stream, this.#rows);
    return { firstTicket: index * CHUNK_TICKETS + 1, outcomes, rows: this.#rows };
  }
}
