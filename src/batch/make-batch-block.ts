import { join } from 'node:path';
import { mendLeftovers } from '../block/block-folder.js';
import { addCommitment } from '../block/commit-tickets.js';
import { ConformanceError, generateBlock, type Progress } from '../block/generate-block.js';
import { lacksPromise, signFiles } from '../block/place-signatures.js';
import type { BlockRequest } from '../block/plan-block.js';
import { adoptBlock, requestedIdentity } from '../block/registry.js';
import type { SigningKey } from '../block/signing-key.js';
import { InputError, printable } from '../core/errors.js';
import type { BatchOutcome } from './batch-result.js';
import { checkExisting, type ExistingBlockCheck, type Standing } from './existing-block.js';
import type { Job } from './job.js';
import { makeJobFolder } from './job-folder.js';
import { checkSiblings } from './sibling-registries.js';

/** One block of a batch that is to be made; plain data, so that a thread can be told. */
export interface BlockTask {
  readonly request: BlockRequest;
  readonly forms: Pick<Job, 'formats' | 'compression'>;
  /** The batch's. */
  readonly outputFolder: string;
  /** The folders between it and the block's own. */
  readonly subfolders: readonly string[];
  /** The name of the block's folder. */
  readonly name: string;
  /** Whether the block gets its `commitment.json`. */
  readonly commitTickets?: boolean | undefined;
  /** Age recipients that the tickets files are encrypted to; `undefined` where they are not. */
  readonly encryptTo?: readonly string[] | undefined;
  /** What encrypted files are opened with. */
  readonly identities?: readonly string[] | undefined;
  readonly recheck: boolean;
  /** How many threads may verify the block's files at once. */
  readonly threads: number;
  /** The folders of the batch that have a registry. */
  readonly registries: readonly string[];
  /** The machine's clock, for the registry's entry. */
  readonly time?: Date | undefined;
  /** Signs the block, whether it is made or kept. */
  readonly signWith?: SigningKey | undefined;
}

/** What is done while a block is made. */
export interface BlockWatch {
  /** Called with how much of the block is done, from 0 to 1. */
  readonly onShare: (share: number) => void;
  /** Nothing of the block stays behind when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** What has become of a block. */
export interface BlockOutcome {
  readonly outcome: BatchOutcome;
  readonly reason?: string;
}

/** How much of a block's work is done when its tickets are drawn; the rest is verification. */
const DRAWING_SHARE = 0.6;

/**
 * Makes a block of a batch where it is not there yet, and checks it where it is.
 *
 * @returns `refused` or `failed` too, where the other blocks can go on.
 * @throws MachineError and whatever else stops the whole batch; the signal's reason.
 */
export async function makeBatchBlock(task: BlockTask, watch: BlockWatch): Promise<BlockOutcome> {
  try {
    return await makeOrKeep(task, watch);
  } catch (error) {
    if (watch.signal?.aborted === true) throw error;
    // Whoever keeps the registry from being written keeps all blocks from their names.
    if (error instanceof InputError && error.code !== 'locked') {
      return { outcome: 'refused', reason: error.message };
    }
    if (error instanceof ConformanceError) return { outcome: 'failed', reason: error.message };
    throw error;
  }
}

async function makeOrKeep(task: BlockTask, { onShare, signal }: BlockWatch): Promise<BlockOutcome> {
  const { request, forms, outputFolder, subfolders, name, recheck, threads, time } = task;
  const { encryptTo, identities, signWith, commitTickets } = task;
  const parent = await makeJobFolder(outputFolder, subfolders);
  checkSiblings(task.registries, parent, name, requestedIdentity(request));
  await mendLeftovers(parent, name);
  const folder = join(parent, name);
  const encryption = encryptTo === undefined ? undefined : 'age';
  const check: ExistingBlockCheck = {
    ...{ request, forms, encryption, identities },
    ...{ recheck, threads, signal },
  };
  const found = await checkExisting(folder, check);
  const standing = await promisable(found, folder, { check, wanted: task });
  if (standing.kind === 'whole') {
    if (commitTickets === true) await addCommitment(folder, request, { identities, signal });
    await adoptBlock(folder, { time, signal });
    if (signWith !== undefined) await signFiles(folder, signWith);
    return { outcome: 'kept', ...(standing.notChecked && { reason: standing.notChecked }) };
  }
  if (standing.kind === 'foreign') {
    const reason = `${printable(folder)} is there already, and ${standing.reason}; move it away, or name another "out"`;
    return { outcome: 'refused', reason };
  }
  const repair = standing.kind === 'broken';
  const onProgress = (progress: Progress): void => {
    onShare(shareOf(progress));
  };
  const options = {
    ...{ ...forms, encryptTo, identities, commitTickets, signWith, outputFolder: parent },
    ...{ repair, threads, time, onProgress },
  };
  const { kept } = await generateBlock(request, { ...options, ...(signal && { signal }) });
  if (standing.kind === 'broken') return { outcome: 'remade', reason: standing.reason };
  // Somebody who makes single blocks in the same folder can be faster.
  return { outcome: kept ? 'kept' : 'made' };
}

/**
 * What a block that is there is worth where it is to be signed or committed to: that must have been seen. A
 * block of the batch is known by its hashes alone, which whoever changes it can put right, so it is made again
 * from the seed and compared.
 */
async function promisable(
  standing: Standing,
  folder: string,
  { check, wanted }: { readonly check: ExistingBlockCheck; readonly wanted: BlockTask },
): Promise<Standing> {
  if (standing.kind !== 'whole' || check.recheck) return standing;
  if (!(await lacksPromise(folder, wanted))) return standing;
  if (standing.notChecked === undefined) return checkExisting(folder, { ...check, recheck: true });
  const reason = `it can be neither signed nor committed to: ${standing.notChecked}`;
  return { kind: 'foreign', reason };
}

function shareOf({ phase, done, total }: Progress): number {
  const part = total === 0 ? 0 : done / total;
  return phase === 'drawing' ? part * DRAWING_SHARE : DRAWING_SHARE + part * (1 - DRAWING_SHARE);
}
