import { blockName } from '../formats/manifest.js';
import { blockTotals, totalsOf, type BatchTotals } from './batch-totals.js';
import { expectedBytes } from './expected-bytes.js';
import type { Job, Jobs } from './job.js';

/**
 * Bytes of tickets, uncompressed, that are generated, verified and on the disk in a second: what two
 * cores manage that have other work. Compression halves it.
 */
export const EXPECTED_BYTES_PER_SECOND = 50_000_000;

/** Compressed files have a fifth to a third of their bytes; an estimate should not be too low. */
const COMPRESSED_SHARE = 1 / 3;

/** One block of a batch. */
export interface BatchBlock extends BatchTotals {
  readonly job: Job;
  readonly emission: number;
  readonly block: number;
  /** The name of the block's folder. */
  readonly name: string;
  /** Its path within the output folder, with slashes. */
  readonly path: string;
}

/** What a batch comes to, before any of it is made. */
export interface BatchPlan {
  readonly emission: number;
  /** In the order in which they are made. */
  readonly blocks: readonly BatchBlock[];
  readonly totals: BatchTotals;
  /** Bytes on the disk: an estimate, the more so where files are compressed. */
  readonly expectedBytes: number;
  /** At the rate of {@link EXPECTED_BYTES_PER_SECOND}. */
  readonly expectedSeconds: number;
}

/** Lays out the blocks of a job file. */
export function planBatch({ emission, jobs }: Jobs): BatchPlan {
  const estimates = jobs.map(estimateOf);
  return {
    emission,
    blocks: jobs.flatMap((job) => blocksOf(job, emission)),
    totals: totalsOf(jobs),
    expectedBytes: estimates.reduce((sum, { bytes }) => sum + bytes, 0),
    expectedSeconds: Math.ceil(estimates.reduce((sum, { seconds }) => sum + seconds, 0)),
  };
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

/** Of all blocks of an entry. */
function estimateOf(job: Job): { readonly bytes: number; readonly seconds: number } {
  const { game, stake, formats, compression } = job;
  const plain = formats.reduce((sum, format) => sum + expectedBytes(game, stake, format), 0);
  const blocks = job.last - job.first + 1;
  if (compression === undefined) {
    return { bytes: blocks * plain, seconds: (blocks * plain) / EXPECTED_BYTES_PER_SECOND };
  }
  return {
    bytes: blocks * Math.round(plain * COMPRESSED_SHARE),
    seconds: (2 * blocks * plain) / EXPECTED_BYTES_PER_SECOND,
  };
}
