import { InputError } from '../core/errors.js';
import { blockName } from '../formats/manifest.js';
import { blockTotals, sumTotals, type BatchTotals } from './batch-totals.js';
import { expectedBytes } from './expected-bytes.js';
import type { Job, Jobs } from './job.js';

/**
 * Bytes of tickets, uncompressed, that are generated, verified and on the disk in a second: what two
 * cores manage that have other work. Compression halves it.
 *
 * @group Batches
 */
export const EXPECTED_BYTES_PER_SECOND = 50_000_000;

/** Compressed files have a fifth to a third of their bytes; an estimate should not be too low. */
const COMPRESSED_SHARE = 1 / 3;

/**
 * One of the equal shares of a batch that several machines make apart from each other: the block that
 * stands at place `j` of the plan, counted from 0, is in share `j mod count + 1`.
 *
 * @group Batches
 */
export interface Shard {
  /** From 1 to the count. */
  readonly index: number;
  /** How many shares there are. */
  readonly count: number;
}

/**
 * One block of a batch.
 *
 * @group Batches
 */
export interface BatchBlock extends BatchTotals {
  /** The entry that it is of. */
  readonly job: Job;
  /** From 1. */
  readonly emission: number;
  /** From 1. */
  readonly block: number;
  /** The name of the block's folder. */
  readonly name: string;
  /** Its path within the output folder, with slashes. */
  readonly path: string;
}

/**
 * What a batch comes to, before any of it is made.
 *
 * @group Batches
 */
export interface BatchPlan {
  /** From 1. */
  readonly emission: number;
  /** The share whose plan this is; not there for a whole batch. */
  readonly shard?: Shard;
  /** In the order in which they are made. */
  readonly blocks: readonly BatchBlock[];
  /** Of its blocks. */
  readonly totals: BatchTotals;
  /** Bytes on the disk: an estimate, the more so where files are compressed. */
  readonly expectedBytes: number;
  /** At the rate of {@link EXPECTED_BYTES_PER_SECOND}. */
  readonly expectedSeconds: number;
}

/**
 * Lays out the blocks of a job file, or those of one share of it.
 *
 * @param jobs - What {@link loadJobs} returns.
 * @param shard - Only this share of the blocks; all of them where it is left out.
 * @returns The blocks in their order, their totals, and what they will take.
 * @throws InputError `bad-number` where there is no such share.
 * @group Batches
 */
export function planBatch({ emission, jobs }: Jobs, shard?: Shard): BatchPlan {
  const all = jobs.flatMap((job) => blocksOf(job, emission));
  const blocks = shard === undefined ? all : shareOf(all, shard);
  const estimates = new Map(jobs.map((job) => [job, estimateOf(job)]));
  const sum = (key: keyof Estimate): number =>
    blocks.reduce((total, { job }) => total + (estimates.get(job)?.[key] ?? 0), 0);
  return {
    emission,
    ...(shard && { shard }),
    blocks,
    totals: sumTotals(blocks),
    expectedBytes: sum('bytes'),
    expectedSeconds: Math.ceil(sum('work') / EXPECTED_BYTES_PER_SECOND),
  };
}

function shareOf(blocks: readonly BatchBlock[], { index, count }: Shard): readonly BatchBlock[] {
  const isShare =
    Number.isSafeInteger(index) && Number.isSafeInteger(count) && index >= 1 && index <= count;
  if (!isShare) {
    const message = `there is no share ${index} of ${count}; shares are counted from 1`;
    throw new InputError('bad-number', message, { place: 'shard' });
  }
  return blocks.filter((_, place) => place % count === index - 1);
}

function blocksOf(job: Job, emission: number): readonly BatchBlock[] {
  const totals = blockTotals(job);
  const { game, stake, subfolders, first, last } = job;
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const block = first + index;
    const name = blockName({ gameId: game.id, stakeCents: stake.stakeCents, emission, block });
    return { ...totals, job, emission, block, name, path: [...subfolders, name].join('/') };
  });
}

/** What one block of an entry takes. */
interface Estimate {
  /** Bytes on the disk. */
  readonly bytes: number;
  /** Bytes of tickets whose making takes as long as that of the block. */
  readonly work: number;
}

function estimateOf({ game, stake, formats, compression }: Job): Estimate {
  const plain = formats.reduce((sum, format) => sum + expectedBytes(game, stake, format), 0);
  if (compression === undefined) return { bytes: plain, work: plain };
  return { bytes: Math.round(plain * COMPRESSED_SHARE), work: 2 * plain };
}
