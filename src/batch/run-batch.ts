import { join } from 'node:path';
import { makeOutputFolder } from '../block/block-folder.js';
import { checkSeed } from '../block/check-request.js';
import { BATCH_LOCK, lockFolder } from '../block/folder-lock.js';
import { checkThreads } from '../core/check-threads.js';
import { planBatch, type BatchBlock, type BatchPlan, type Shard } from './batch-plan.js';
import { ProgressSum, type BatchProgress } from './batch-progress.js';
import {
  BATCH_OUTCOMES,
  type BatchBlockResult,
  type BatchOutcome,
  type BatchResult,
} from './batch-result.js';
import { sumTotals } from './batch-totals.js';
import { BlockThread } from './block-thread.js';
import type { Jobs } from './job.js';
import {
  makeBatchBlock,
  type BlockOutcome,
  type BlockTask,
  type BlockWatch,
} from './make-batch-block.js';

/** All that decides the bytes of a batch. */
export interface BatchRequest {
  readonly jobs: Jobs;
  /** The seed's bytes as given; never empty. Each block has streams of its own. */
  readonly seed: Uint8Array;
  /** Makes only this share of the blocks; all of them where it is left out. */
  readonly shard?: Shard | undefined;
}

/** How and where a batch is made. */
export interface BatchOptions {
  /** The folder in which the blocks' own folders are made. */
  readonly outputFolder: string;
  /** Makes blocks that are there again from the seed and compares every byte, in place of hashes. */
  readonly recheck?: boolean | undefined;
  /**
   * How many blocks may be made at once, each in a thread; the files of a single block may be verified
   * at once. 1 where it is left out. The bytes are the same.
   */
  readonly threads?: number | undefined;
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined;
  /** Called with each block's result as soon as it is known. */
  readonly onBlock?: ((result: BatchBlockResult) => void) | undefined;
  /** Stops the batch: nothing of the blocks in hand stays behind, and what is done stays. */
  readonly signal?: AbortSignal | undefined;
  /** The machine's clock, for the registry's entries; without it, they have no time. */
  readonly now?: (() => Date) | undefined;
  /** Milliseconds of a clock that only goes forward, for the seconds in the result. */
  readonly clock?: (() => number) | undefined;
}

const MILLISECONDS = 1000;

/**
 * Makes all blocks of a job file that are not there yet, and checks those that are. Run again after
 * whatever has stopped it, it goes on where it was.
 *
 * @throws InputError `bad-seed`, `bad-number` where there is no such share or number of threads, or
 * `locked` where another batch works on the folder; MachineError where the folder cannot be used at
 * all. Whatever stops it later is in the result.
 */
export async function runBatch(request: BatchRequest, options: BatchOptions): Promise<BatchResult> {
  checkSeed(request.seed);
  checkThreads(options.threads ?? 1);
  const plan = planBatch(request.jobs, request.shard);
  await makeOutputFolder(options.outputFolder);
  const lock = await lockFolder(options.outputFolder, BATCH_LOCK);
  try {
    return await new BatchRun(plan, request.seed, options).run();
  } finally {
    await lock.release().catch(() => undefined);
  }
}

/** Makes a block, in this thread or in another. */
type BlockMaker = (task: BlockTask, watch: BlockWatch) => Promise<BlockOutcome>;

/** A batch that is being made. */
class BatchRun {
  readonly #plan: BatchPlan;
  readonly #seed: Uint8Array;
  readonly #options: BatchOptions;
  readonly #progress: ProgressSum;
  /** How many blocks are made at once. */
  readonly #lanes: number;
  /** Blocks that nobody has begun. */
  readonly #waiting: BatchBlock[];
  readonly #results = new Map<BatchBlock, BatchBlockResult>();
  #stoppedBy: Error | undefined;

  constructor(plan: BatchPlan, seed: Uint8Array, options: BatchOptions) {
    this.#plan = plan;
    // A copy of nothing but the seed: a thread gets all of the memory that an array is a part of.
    this.#seed = Uint8Array.from(seed);
    this.#options = options;
    this.#progress = new ProgressSum(plan, options.onProgress);
    this.#lanes = Math.min(options.threads ?? 1, plan.blocks.length);
    this.#waiting = [...plan.blocks];
  }

  async run(): Promise<BatchResult> {
    const threads = Array.from({ length: Math.max(0, this.#lanes - 1) }, () => new BlockThread());
    const makers: readonly BlockMaker[] = [
      makeBatchBlock,
      ...threads.map(
        (thread): BlockMaker =>
          async (task, watch) =>
            thread.make(task, watch),
      ),
    ];
    const ended = await Promise.allSettled(makers.map(async (make) => this.#work(make)));
    await Promise.all(threads.map(async (thread) => thread.close()));
    for (const lane of ended) if (lane.status === 'rejected') throw lane.reason;
    return this.#result();
  }

  /** Takes one block after the other, until none is left or something stops the batch. */
  async #work(make: BlockMaker): Promise<void> {
    try {
      for (let block = this.#waiting.shift(); block !== undefined; block = this.#waiting.shift()) {
        await this.#workOn(block, make);
      }
    } finally {
      // Also where what was called with a result has thrown: nobody begins another block.
      this.#waiting.length = 0;
    }
  }

  async #workOn(block: BatchBlock, make: BlockMaker): Promise<void> {
    const { clock } = this.#options;
    const startedAt = clock?.();
    const made = await this.#tryBlock(block, make);
    if (made === undefined) return;
    const seconds =
      clock && startedAt !== undefined ? (clock() - startedAt) / MILLISECONDS : undefined;
    this.#add(block, made, seconds);
  }

  /** What has become of a block; `undefined` where it was dropped. */
  async #tryBlock(block: BatchBlock, make: BlockMaker): Promise<BlockOutcome | undefined> {
    const { signal } = this.#options;
    try {
      signal?.throwIfAborted();
      this.#progress.begin(block);
      const onShare = (share: number): void => {
        this.#progress.show(block, share);
      };
      return await make(this.#taskOf(block), { onShare, signal });
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

  #taskOf({ job, emission, block, name }: BatchBlock): BlockTask {
    const { game, stake, engine, formats, compression, subfolders } = job;
    const { outputFolder, recheck = false, threads = 1, now } = this.#options;
    const { stakeCents } = stake;
    return {
      request: { game, stakeCents, seed: this.#seed, engine, emission, block },
      forms: { formats, compression },
      ...{ outputFolder, subfolders, name, recheck },
      threads: this.#lanes === 1 ? threads : 1,
      time: now?.(),
    };
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
    const whole = blocks.filter(({ outcome }) => outcome !== 'refused' && outcome !== 'failed');
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
