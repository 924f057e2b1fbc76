import type { BatchBlock, BatchPlan } from './batch-plan.js';

/**
 * How far a batch is.
 *
 * @group Batches
 */
export interface BatchProgress {
  /** The name of the block that was begun last. */
  readonly name: string;
  /** Its number in the order of the plan, from 1. */
  readonly blockNumber: number;
  /** How many blocks there are. */
  readonly blockCount: number;
  /** Tickets of the blocks that are done, and of those in hand by their share. */
  readonly done: number;
  /** Tickets of all blocks. */
  readonly total: number;
}

/** Adds up how far the blocks of a batch are, several of which can be in hand. */
export class ProgressSum {
  readonly #plan: BatchPlan;
  readonly #onProgress: (progress: BatchProgress) => void;
  /** How many tickets of each block in hand are done. */
  readonly #inHand = new Map<BatchBlock, number>();
  #doneTickets = 0;
  #begunCount = 0;

  constructor(plan: BatchPlan, onProgress: (progress: BatchProgress) => void = () => undefined) {
    this.#plan = plan;
    this.#onProgress = onProgress;
  }

  /** Blocks are begun in the order of the plan. */
  begin(block: BatchBlock): void {
    this.#begunCount += 1;
    this.show(block, 0);
  }

  /** @param share - How much of a block is done, from 0 to 1. */
  show(block: BatchBlock, share: number): void {
    this.#inHand.set(block, Math.floor(share * block.tickets));
    this.#tell();
  }

  /** A block is done, whatever has become of it. */
  end(block: BatchBlock): void {
    this.#inHand.delete(block);
    this.#doneTickets += block.tickets;
    this.#tell();
  }

  #tell(): void {
    const { blocks, totals } = this.#plan;
    this.#onProgress({
      name: blocks[this.#begunCount - 1]?.name ?? '',
      blockNumber: this.#begunCount,
      blockCount: blocks.length,
      done: [...this.#inHand.values()].reduce((sum, tickets) => sum + tickets, this.#doneTickets),
      total: totals.tickets,
    });
  }
}
