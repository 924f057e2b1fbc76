import { formatCount } from '../core/money.js';
import type { Problem } from '../definitions/problem.js';
import { totalsOf } from './batch-totals.js';
import type { Job } from './job.js';

/** Blocks of one batch: some years of sales, and far from what would fill the memory. */
const MOST_BLOCKS = 100_000;

/** What a block's own folder is called, in which nothing else may lie. */
export const BLOCK_NAME = /-\d+-e\d+-b\d+$/;

/**
 * Holds the entries of a job file against what its schema cannot express.
 *
 * @param jobs - The entries in their order; `undefined` where something is wrong with one already.
 */
export function checkEntries(jobs: readonly (Job | undefined)[]): readonly Problem[] {
  const problems = jobs.flatMap((job, index) => {
    if (job === undefined) return [];
    const pointer = `/jobs/${index}`;
    const own = [...rangeProblems(job, pointer), ...folderProblems(job, pointer)];
    return own.length > 0 ? own : overlapProblems(jobs, index, job);
  });
  return problems.length > 0 ? problems : sizeProblems(jobs.filter((job) => job !== undefined));
}

function rangeProblems({ first, last }: Job, pointer: string): readonly Problem[] {
  if (last >= first) return [];
  return [
    { pointer: `${pointer}/blocks/last`, found: String(last), expected: `at least ${first}` },
  ];
}

function folderProblems({ subfolders }: Job, pointer: string): readonly Problem[] {
  if (!subfolders.some((name) => BLOCK_NAME.test(name))) return [];
  const expected = "names of folders that could not be a block's";
  return [{ pointer: `${pointer}/out`, found: `"${subfolders.join('/')}"`, expected }];
}

/** A block's name says all that tells it from others: the rest must not make two of one. */
function overlapProblems(
  jobs: readonly (Job | undefined)[],
  index: number,
  { game, stake, first, last }: Job,
): readonly Problem[] {
  const other = jobs.findIndex(
    (job, at) =>
      at < index &&
      job?.game.id === game.id &&
      job.stake.stakeCents === stake.stakeCents &&
      job.first <= last &&
      first <= job.last,
  );
  if (other < 0) return [];
  const found = `${first} to ${last}`;
  const expected = `blocks that no other entry names, as /jobs/${other} does`;
  return [{ pointer: `/jobs/${index}/blocks`, found, expected }];
}

function sizeProblems(jobs: readonly Job[]): readonly Problem[] {
  const { blocks, salesCents, prizesCents } = totalsOf(jobs);
  if (blocks > MOST_BLOCKS) {
    const found = `${formatCount(blocks)} blocks`;
    return [{ pointer: '/jobs', found, expected: `at most ${formatCount(MOST_BLOCKS)}` }];
  }
  if (Number.isSafeInteger(salesCents) && Number.isSafeInteger(prizesCents)) return [];
  const found = 'a total of more than 2^53 cents';
  return [{ pointer: '/jobs', found, expected: 'a smaller batch' }];
}
