import { makeOutputFolder } from '../block/block-folder.js';
import { checkSeed } from '../block/check-request.js';
import { BATCH_LOCK, lockFolder } from '../block/folder-lock.js';
import { checkProduction, type ProductionPolicy } from '../block/production-policy.js';
import type { SigningKey } from '../block/signing-key.js';
import { checkThreads } from '../core/check-threads.js';
import { InputError } from '../core/errors.js';
import { checkIdentities, checkRecipients } from '../formats/age-header.js';
import { planBatch, type BatchBlock, type BatchPlan, type Shard } from './batch-plan.js';
import { withNotChecked, type BatchResult } from './batch-result.js';
import { BatchWork, type BlockLane, type WorkOptions } from './batch-work.js';
import { BlockThread } from './block-thread.js';
import type { Jobs } from './job.js';
import {
  makeBatchBlock,
  type BlockOutcome,
  type BlockTask,
  type BlockWatch,
} from './make-batch-block.js';
import { foldersWithRegistry } from './sibling-registries.js';

/**
 * All that decides the bytes of a batch.
 *
 * @group Batches
 */
export interface BatchRequest {
  /** What {@link loadJobs} returns. */
  readonly jobs: Jobs;
  /** The seed's bytes as given; never empty. Each block has streams of its own. */
  readonly seed: Uint8Array;
  /** The commitments to the shares that the seed was combined from, if it was. */
  readonly shareCommitments?: readonly string[] | undefined;
  /** Makes only this share of the blocks; all of them where it is left out. */
  readonly shard?: Shard | undefined;
}

/**
 * How and where a batch is made.
 *
 * @group Batches
 */
export interface BatchOptions extends WorkOptions {
  /** What is asked beside what the job file says, where a policy is asked for here or there. */
  readonly policy?: ProductionPolicy | undefined;
  /** Gives every block its `commitment.json`, whether the job file asks for it or not. */
  readonly commitTickets?: boolean | undefined;
  /** Encrypts the tickets files of all blocks to these age recipients. */
  readonly encryptTo?: readonly string[] | undefined;
  /** What the files of encrypted blocks are opened with, to be checked; their contents are not, without. */
  readonly identities?: readonly string[] | undefined;
  /** Makes blocks that are there again from the seed and compares every byte, in place of hashes. */
  readonly recheck?: boolean | undefined;
  /**
   * How many blocks may be made at once, each in a thread; the files of a single block may be verified
   * at once. 1 where it is left out. The bytes are the same.
   */
  readonly threads?: number | undefined;
  /** The machine's clock, for the registry's entries; without it, they have no time. */
  readonly now?: (() => Date) | undefined;
  /** Signs every block with this key, also those that are kept. */
  readonly signWith?: SigningKey | undefined;
}

/**
 * Makes all blocks of a job file that are not there yet, and checks those that are. Run again after
 * whatever has stopped it, it goes on where it was.
 *
 * @param request - What decides the bytes of all blocks.
 * @param options - Where they are made, and how that is watched and stopped.
 * @returns What has become of each block, and what stopped the batch, if something did.
 * @throws InputError `policy` where one is asked for and not kept, `bad-seed`, `bad-recipient`, `bad-identity`, `usage` where encrypted blocks are to be made again and no identity is given, `bad-number` where there is no such share or number of threads, or
 * `locked` where another batch works on the folder; MachineError where the folder cannot be used at
 * all. Whatever stops it later is in the result.
 * @group Batches
 */
export async function runBatch(request: BatchRequest, options: BatchOptions): Promise<BatchResult> {
  checkSeed(request.seed);
  checkThreads(options.threads ?? 1);
  await checkEncryption(options);
  const plan = planBatch(request.jobs, request.shard);
  const policy = await checkedPolicy(plan, request, options);
  await makeOutputFolder(options.outputFolder);
  const lock = await lockFolder(options.outputFolder, BATCH_LOCK);
  try {
    return withNotChecked(
      await makeAll(plan, request, policy ? { ...options, commitTickets: true } : options),
    );
  } finally {
    await lock.release().catch(() => undefined);
  }
}

async function checkEncryption({ encryptTo, identities, recheck }: BatchOptions): Promise<void> {
  if (identities !== undefined) await checkIdentities(identities);
  if (encryptTo === undefined) return;
  await checkRecipients(encryptTo);
  if (recheck !== true || identities !== undefined) return;
  const message =
    'encrypted blocks cannot be rechecked without an identity; give one with --identity';
  throw new InputError('usage', message);
}

/** The policy that is asked for, which the batch keeps. */
async function checkedPolicy(
  { blocks }: BatchPlan,
  { jobs, seed }: BatchRequest,
  options: BatchOptions,
): Promise<ProductionPolicy | undefined> {
  const { policy = jobs.policy && {} } = options;
  if (policy === undefined) return undefined;
  const approved = blocks.flatMap(({ job }) => job.approvedDefinition ?? []);
  const { approvedDefinitions = [] } = policy;
  await checkProduction(
    { ...policy, approvedDefinitions: [...approvedDefinitions, ...approved] },
    { ...options, seed, requests: blocks.map(({ job }) => job) },
  );
  return policy;
}

/** Makes the blocks of a plan, one in this thread and the others in threads of their own. */
async function makeAll(
  plan: BatchPlan,
  { jobs, seed, shareCommitments }: BatchRequest,
  options: BatchOptions,
): Promise<BatchResult> {
  const { threads = 1, commitTickets = jobs.commitTickets } = options;
  const count = Math.min(threads, plan.blocks.length);
  const others = Array.from({ length: Math.max(0, count - 1) }, () => new BlockThread());
  // A copy of nothing but the seed: a thread gets all of the memory that an array is a part of.
  const own = {
    ...{ ...options, seed: Uint8Array.from(seed), threads: count > 1 ? 1 : threads },
    ...{ shareCommitments, commitTickets },
    registries: await foldersWithRegistry(options.outputFolder),
  };
  const laneOf =
    (make: (task: BlockTask, watch: BlockWatch) => Promise<BlockOutcome>): BlockLane =>
    async (block, watch) =>
      make(taskOf(block, own), watch);
  const lanes = [makeBatchBlock, ...others.map((thread) => thread.make.bind(thread))];
  try {
    return await new BatchWork(plan, options).run(lanes.map(laneOf));
  } finally {
    await Promise.all(others.map(async (thread) => thread.close()));
  }
}

function taskOf(
  { job, emission, block, name }: BatchBlock,
  options: BatchOptions &
    Pick<BlockTask, 'registries' | 'threads' | 'commitTickets'> &
    Pick<BatchRequest, 'seed' | 'shareCommitments'>,
): BlockTask {
  const { game, stake, engine, formats, compression, subfolders } = job;
  const { outputFolder, recheck = false, threads, registries, now } = options;
  const { seed, shareCommitments, commitTickets, signWith, encryptTo, identities } = options;
  const { stakeCents } = stake;
  return {
    request: { game, stakeCents, seed, shareCommitments, engine, emission, block },
    forms: { formats, compression },
    ...{ encryptTo, identities, commitTickets, signWith },
    ...{ outputFolder, subfolders, name, recheck, threads, registries },
    time: now?.(),
  };
}
