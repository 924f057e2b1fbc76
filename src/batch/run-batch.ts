import { join } from 'node:path';
import { InputError, printable } from '../core/errors.js';
import { makeOutputFolder, mendLeftovers } from '../block/block-folder.js';
import { checkSeed } from '../block/check-request.js';
import { BATCH_LOCK, lockFolder } from '../block/folder-lock.js';
import { ConformanceError, generateBlock, type Progress } from '../block/generate-block.js';
import type { BlockRequest } from '../block/plan-block.js';
import { adoptBlock } from '../block/registry.js';
import { planBatch, type BatchBlock, type BatchPlan, type Shard } from './batch-plan.js';
import {
  BATCH_OUTCOMES,
  type BatchBlockResult,
  type BatchOutcome,
  type BatchResult,
} from './batch-result.js';
import { sumTotals } from './batch-totals.js';
import { checkExisting } from './existing-block.js';
import type { Job, Jobs } from './job.js';
import { makeJobFolder } from './job-folder.js';

/** All that decides the bytes of a batch. */
export interface BatchRequest {
  readonly jobs: Jobs;
  /** The seed's bytes as given; never empty. Each block has streams of its own. */
  readonly seed: Uint8Array;
  /** Makes only this share of the blocks; all of them where it is left out. */
  readonly shard?: Shard | undefined;
}

/** How far a batch is. */
export interface BatchProgress {
  /** The name of the block in hand. */
  readonly name: string;
  /** From 1. */
  readonly blockNumber: number;
  readonly blockCount: number;
  /** Tickets of the blocks that are done, and of the one in hand by its share. */
  readonly done: number;
  /** Tickets of all blocks. */
  readonly total: number;
}

/** How and where a batch is made. */
export interface BatchOptions {
  /** The folder in which the blocks' own folders are made. */
  readonly outputFolder: string;
  /** Makes blocks that are there again from the seed and compares every byte, in place of hashes. */
  readonly recheck?: boolean | undefined;
  /** How many threads may verify the files of a block at once; 1 where it is left out. */
  readonly threads?: number | undefined;
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined;
  /** Called with each block's result as soon as it is known. */
  readonly onBlock?: ((result: BatchBlockResult) => void) | undefined;
  /** Stops the batch: nothing of the block in hand stays behind, and what is done stays. */
  readonly signal?: AbortSignal | undefined;
  /** The machine's clock, for the registry's entries; without it, they have no time. */
  readonly now?: (() => Date) | undefined;
  /** Milliseconds of a clock that only goes forward, for the seconds in the result. */
  readonly clock?: (() => number) | undefined;
}

/** How much of a block's work is done when its tickets are drawn; the rest is verification. */
const DRAWING_SHARE = 0.6;

const MILLISECONDS = 1000;

/**
 * Makes all blocks of a job file that are not there yet, one after the other, and checks those that
 * are. Run again after whatever has stopped it, it goes on where it was.
 *
 * @throws InputError `bad-seed`, `bad-number` where there is no such share, or `locked` where another
 * batch works on the folder; MachineError where the folder cannot be used at all. Whatever stops it
 * later is in the result.
 */
export async function runBatch(request: BatchRequest, options: BatchOptions): Promise<BatchResult> {
  checkSeed(request.seed);
  const plan = planBatch(request.jobs, request.shard);
  await makeOutputFolder(options.outputFolder);
  const lock = await lockFolder(options.outputFolder, BATCH_LOCK);
  try {
    return await new BatchRun(plan, request.seed, options).run();
  } finally {
    await lock.release().catch(() => undefined);
  }
}

/** What was found or done, before it is put together with the block. */
interface Made {
  readonly outcome: BatchOutcome;
  readonly reason?: string;
}

/** A batch that is being made. */
class BatchRun {
  readonly #plan: BatchPlan;
  readonly #seed: Uint8Array;
  readonly #options: BatchOptions;
  readonly #results: BatchBlockResult[] = [];
  #doneTickets = 0;

  constructor(plan: BatchPlan, seed: Uint8Array, options: BatchOptions) {
    this.#plan = plan;
    this.#seed = seed;
    this.#options = options;
  }

  async run(): Promise<BatchResult> {
    for (const block of this.#plan.blocks) {
      const { clock } = this.#options;
      const startedAt = clock?.();
      const { made, stoppedBy } = await this.#tryBlock(block);
      if (made !== undefined) {
        const seconds =
          clock && startedAt !== undefined ? (clock() - startedAt) / MILLISECONDS : undefined;
        this.#add(block, made, seconds);
      }
      if (stoppedBy !== undefined) return { ...this.#result(), stoppedBy };
    }
    return this.#result();
  }

  /** What has become of a block, and what stops the batch. */
  async #tryBlock(
    block: BatchBlock,
  ): Promise<{ readonly made?: Made; readonly stoppedBy?: Error }> {
    const { signal } = this.#options;
    try {
      signal?.throwIfAborted();
      this.#show(block, 0);
      return { made: await this.#makeBlock(block) };
    } catch (error) {
      if (signal?.aborted === true) return { stoppedBy: toError(signal.reason) };
      const { message: reason } = toError(error);
      if (error instanceof InputError) return { made: { outcome: 'refused', reason } };
      const made: Made = { outcome: 'failed', reason };
      return error instanceof ConformanceError ? { made } : { made, stoppedBy: toError(error) };
    }
  }

  async #makeBlock(block: BatchBlock): Promise<Made> {
    const { job, name } = block;
    const { formats, compression } = job;
    const { outputFolder, recheck = false, threads, now, signal } = this.#options;
    const request = this.#blockRequest(job, block.block);
    const parent = await makeJobFolder(outputFolder, job.subfolders);
    await mendLeftovers(parent, name);
    const folder = join(parent, name);
    const forms = { formats, compression };
    const standing = await checkExisting(folder, { request, forms, recheck, threads, signal });
    if (standing.kind === 'whole') {
      await adoptBlock(folder, { now, signal });
      return { outcome: 'kept' };
    }
    if (standing.kind === 'foreign') {
      const reason = `${printable(folder)} is there already, and ${standing.reason}; move it away, or name another "out"`;
      return { outcome: 'refused', reason };
    }
    const repair = standing.kind === 'broken';
    const onProgress = (progress: Progress): void => this.#show(block, shareOf(progress));
    const options = { ...forms, outputFolder: parent, repair, threads, now, onProgress };
    const { kept } = await generateBlock(request, { ...options, ...(signal && { signal }) });
    if (standing.kind === 'broken') return { outcome: 'remade', reason: standing.reason };
    // Somebody who makes single blocks in the same folder can be faster.
    return { outcome: kept ? 'kept' : 'made' };
  }

  #blockRequest({ game, stake, engine }: Job, block: number): BlockRequest {
    const { emission } = this.#plan;
    return { game, stakeCents: stake.stakeCents, seed: this.#seed, engine, emission, block };
  }

  #add(block: BatchBlock, made: Made, seconds: number | undefined): void {
    const { name, path, tickets, salesCents, prizesCents } = block;
    const folder = join(this.#options.outputFolder, path);
    const { outcome, reason } = made;
    const result: BatchBlockResult = {
      ...{ name, folder, outcome, tickets, salesCents, prizesCents },
      ...(seconds !== undefined && { seconds }),
      ...(reason !== undefined && { reason }),
    };
    this.#doneTickets += tickets;
    this.#show(block, 0);
    this.#results.push(result);
    this.#options.onBlock?.(result);
  }

  /** @param share - How much of the block in hand is done, from 0 to 1. */
  #show({ name, tickets }: BatchBlock, share: number): void {
    const { blocks, totals } = this.#plan;
    const blockCount = blocks.length;
    const blockNumber = this.#results.length + 1;
    const done = this.#doneTickets + Math.floor(share * tickets);
    this.#options.onProgress?.({ name, blockNumber, blockCount, done, total: totals.tickets });
  }

  #result(): BatchResult {
    const blocks = this.#results;
    const { shard, blocks: all } = this.#plan;
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
    };
  }
}

/** Whatever may be thrown, or given as the reason of an end. */
function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function shareOf({ phase, done, total }: Progress): number {
  const part = total === 0 ? 0 : done / total;
  return phase === 'drawing' ? part * DRAWING_SHARE : DRAWING_SHARE + part * (1 - DRAWING_SHARE);
}
