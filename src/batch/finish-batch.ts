import { realpath } from 'node:fs/promises';
import { kindOfEntry, makeOutputFolder } from '../block/block-folder.js';
import { checkSeed } from '../block/check-request.js';
import { BATCH_LOCK, lockFolder, type FolderLock } from '../block/folder-lock.js';
import { checkThreads } from '../core/check-threads.js';
import { InputError, machineError, printable } from '../core/errors.js';
import { checkIdentities } from '../formats/age-header.js';
import { planBatch } from './batch-plan.js';
import { withNotChecked, type BatchResult } from './batch-result.js';
import { BatchWork, type WorkOptions } from './batch-work.js';
import type { Jobs } from './job.js';
import { ShareJoiner } from './share-joiner.js';
import { foldersWithRegistry } from './sibling-registries.js';

/**
 * A batch whose shares have been made apart from each other.
 *
 * @group Batches
 */
export interface FinishRequest {
  /** What {@link loadJobs} returns: the same for all shares. */
  readonly jobs: Jobs;
  /** The output folders of the shares. */
  readonly shares: readonly string[];
  /** The seed's bytes as given. Without it, blocks are verified in full, but not held against the seed. */
  readonly seed?: Uint8Array | undefined;
}

/**
 * How and where a batch is finished.
 *
 * @group Batches
 */
export interface FinishOptions extends WorkOptions {
  /** What the files of encrypted blocks are opened with. */
  readonly identities?: readonly string[] | undefined;
  /** How many threads may verify the files of a block at once; 1 where it is left out. */
  readonly threads?: number | undefined;
  /** The machine's clock, for the registry's entries; without it, they have no time. */
  readonly now?: (() => Date) | undefined;
}

/** What joining cannot tell without the seed. */
const NO_SEED_GIVEN =
  'that the blocks are those of the seed: each was verified in full, and all state one commitment';

/** Who may sign, and which programs were approved, is not for a job file to say. */
const NO_POLICY =
  'that the blocks keep the policy of the job file: only `verify` with the policy and the trusted keys can tell';

/**
 * Brings the blocks of all shares of a batch together in one output folder, and checks that every block of
 * the job file is there and whole. Nobody may work on the shares meanwhile. Run again after whatever has
 * stopped it, it goes on where it was.
 *
 * @param request - The job file, the output folders of the shares, and the seed where it is at hand.
 * @param options - Where the blocks are brought together, and how that is watched and stopped.
 * @returns What has become of each block.
 * @throws InputError `usage`, `bad-seed` (also where blocks are of several, and none is given), `not-found` where a share is no folder, `locked` where a batch
 * works on one; MachineError where a folder cannot be used at all. Whatever stops it later is in the result.
 * @group Batches
 */
export async function finishBatch(
  { jobs, shares, seed }: FinishRequest,
  options: FinishOptions,
): Promise<BatchResult> {
  if (seed !== undefined) checkSeed(seed);
  checkThreads(options.threads ?? 1);
  if (options.identities !== undefined) await checkIdentities(options.identities);
  const { outputFolder } = options;
  await checkShares(shares);
  await makeOutputFolder(outputFolder);
  await checkApart([outputFolder, ...shares]);
  const locks: FolderLock[] = [];
  try {
    for (const folder of [outputFolder, ...shares])
      locks.push(await lockFolder(folder, BATCH_LOCK));
    const registries = await foldersWithRegistry(outputFolder);
    const joiner = new ShareJoiner({ ...options, shares, registries, seed });
    const plan = planBatch(jobs);
    await joiner.agree(plan.blocks);
    const result = await new BatchWork(plan, options).run([async (block) => joiner.join(block)]);
    return withNotChecked(result, [
      ...(seed === undefined ? [NO_SEED_GIVEN] : []),
      ...(jobs.policy === undefined ? [] : [NO_POLICY]),
    ]);
  } finally {
    for (const lock of locks) await lock.release().catch(() => undefined);
  }
}

async function checkShares(shares: readonly string[]): Promise<void> {
  if (shares.length === 0) {
    throw new InputError('usage', 'no share is given; name the output folder of each');
  }
  for (const share of shares) {
    if ((await kindOfEntry(share)) === 'folder') continue;
    const message = `the share ${printable(share)} is no folder (links are not followed); name the output folder that it was made in`;
    throw new InputError('not-found', message, { place: share });
  }
}

/** One folder under two names would wait for its own lock, or be emptied into itself. */
async function checkApart(folders: readonly string[]): Promise<void> {
  const seen = new Set<string>();
  for (const folder of folders) {
    const real = await realpath(folder).catch((error: unknown) => {
      throw machineError('read', folder, error);
    });
    if (seen.has(real)) {
      const message = `${printable(folder)} is named twice; name each share once, and another folder to join them in`;
      throw new InputError('usage', message);
    }
    seen.add(real);
  }
}
