import { join } from 'node:path';
import type { BatchBlock, BatchPlan } from './batch-plan.js';
import { ProgressSum, type BatchProgress } from './batch-progress.js';
import {
  BATCH_OUTCOMES,
  WHOLE_OUTCOMES,
  type BatchBlockResult,
  type BatchOutcome,
  type BatchResult,
} from './batch-result.js';
import { sumTotals } from './batch-totals.js';
import type { BlockOutcome, BlockWatch } from './make-batch-block.js';

/** How the work on a batch is watched and stopped. */
export interface WorkOptions {
  /** The folder in which the blocks' own folders are. */
  readonly outputFolder: string;
  /** Called whenever a block is begun, done, or further than it was. */
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined;
  /** Called with each block's result as soon as it is known. */
  readonly onBlock?: ((result: BatchBlockResult) => void) | undefined;
  /** Stops the batch: nothing of the blocks in hand stays behind, and what is done stays. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of a clock that only goes forward, for the seconds in the result. */
  readonly clock?: (() => number) | undefined;
}

/**
 * Does a block's part of the work, one block at a time.
 *
 * @throws Whatever stops the whole batch; the signal's reason.
 */
export type BlockLane = (block: BatchBlock, watch: BlockWatch) => Promise<BlockOutcome>;

const MILLISECONDS = 1000;

/** Goes through the blocks of a plan, as many at once as there are lanes, each the next one. */
export class BatchWork {
  readonly #plan: BatchPlan;
  readonly #options: WorkOptions;
  readonly #progress: ProgressSum;
  /** Blocks that nobody has begun. */
  readonly #waiting: BatchBlock[];
  readonly #results = new Map<BatchBlock, BatchBlockResult>();
  #stoppedBy: Error | undefined;

  constructor(plan: BatchPlan, options: WorkOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#progress = new ProgressSum(plan, options.onProgress);
    this.#waiting = [...plan.blocks];
  }

  /** @returns What has become of the blocks, once every lane has ended. */
  async run(lanes: readonly BlockLane[]): Promise<BatchResult> {
    const ended = await Promise.allSettled(lanes.map(async (lane) => this.#work(lane)));
    for (const lane of ended) if (lane.status === 'rejected') throw lane.reason;
    return this.#result();
  }

  /** Takes one block after the other, until none is left or something stops the batch. */
  async #work(lane: BlockLane): Promise<void> {
    try {
      for (let block = this.#waiting.shift(); block !== undefined; block = this.#waiting.shift()) {
        await this.#workOn(block, lane);
      }
    } finally {
      // Also where what was called with a result has thrown: nobody begins another block.
      this.#waiting.length = 0;
    }
  }

  async #workOn(block: BatchBlock, lane: BlockLane): Promise<void> {
    const { clock } = this.#options;
    const startedAt = clock?.();
    const made = await this.#tryBlock(block, lane);
    if (made === undefined) return;
    const seconds =
      clock && startedAt !== undefined ? (clock() - startedAt) / MILLISECONDS : undefined;
    this.#add(block, made, seconds);
  }

  /** What has become of a block; `undefined` where it was dropped. */
  async #tryBlock(block: BatchBlock, lane: BlockLane): Promise<BlockOutcome | undefined> {
    const { signal } = this.#options;
    try {
      signal?.throwIfAborted();
      this.#progress.begin(block);
      const onShare = (share: number): void => {
        this.#progress.show(block, share);
      };
      return await lane(block, { onShare, signal });
    } catch (error) {
      this.#waiting.length = 0;
      if (signal?.aborted === true) {
        this.#stoppedBy = toError(signal.reason);
        return undefined;
      }
      this.#stoppedBy ??= toError(error);
      return { outcome: 'failed', reason: toError(error).message };
    }
  }

  #add(block: BatchBlock, made: BlockOutcome, seconds: number | undefined): void {
    const { name, path, tickets, salesCents, prizesCents } = block;
    const folder = join(this.#options.outputFolder, path);
    const { outcome, reason } = made;
    const result: BatchBlockResult = {
      ...{ name, folder, outcome, tickets, salesCents, prizesCents },
      ...(seconds !== undefined && { seconds }),
      ...(reason !== undefined && { reason }),
    };
    this.#progress.end(block);
    this.#results.set(block, result);
    this.#options.onBlock?.(result);
  }

  #result(): BatchResult {
    const { shard, blocks: all } = this.#plan;
    const blocks = all.flatMap((block) => this.#results.get(block) ?? []);
    const countOf = (outcome: BatchOutcome): number =>
      blocks.filter((block) => block.outcome === outcome).length;
    const counts = Object.fromEntries(BATCH_OUTCOMES.map((name) => [name, countOf(name)]));
    const whole = blocks.filter(({ outcome }) => WHOLE_OUTCOMES.has(outcome));
    return {
      ...(shard && { shard }),
      blocks,
      counts: counts as Record<BatchOutcome, number>,
      leftCount: all.length - blocks.length,
      totals: sumTotals(whole.map((block) => ({ ...block, blocks: 1 }))),
      ...(this.#stoppedBy && { stoppedBy: this.#stoppedBy }),
    };
  }
}

/** Whatever may be thrown, or given as the reason of an end. */
function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
