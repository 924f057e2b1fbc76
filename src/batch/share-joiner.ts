import { join } from 'node:path';
import { mendLeftovers } from '../block/block-folder.js';
import { joinBlock } from '../block/join-block.js';
import { adoptBlock, blockInFolder } from '../block/registry.js';
import { defined } from '../core/assert.js';
import { InputError, printable } from '../core/errors.js';
import { contentDifference, type RegisteredBlock } from '../formats/registry.js';
import type { BatchBlock } from './batch-plan.js';
import { checkExisting, statedCommitment, type Standing } from './existing-block.js';
import { findJobFolder, makeJobFolder } from './job-folder.js';
import { checkSiblings } from './sibling-registries.js';
import type { BlockOutcome } from './make-batch-block.js';

/** Where the blocks of a batch come from, and where they go. */
export interface ShareJoinerOptions {
  readonly outputFolder: string;
  /** The output folders of the shares. */
  readonly shares: readonly string[];
  /** The folders within the output folder that have a registry. */
  readonly registries: readonly string[];
  /** The seed's bytes as given, where the blocks are to be held against it. */
  readonly seed?: Uint8Array | undefined;
  /** What the files of encrypted blocks are opened with. */
  readonly identities?: readonly string[] | undefined;
  readonly threads?: number | undefined;
  readonly now?: (() => Date) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A block that is whole, and where it lies. */
interface Found {
  readonly folder: string;
  readonly block: RegisteredBlock;
  /** What of it could not be checked. */
  readonly notChecked: string | undefined;
}

/**
 * Brings the blocks of a batch together that shares of it have made in folders of their own. Each is
 * checked where it lies before it is moved. Without the seed, each is verified in full, and all must
 * have one commitment.
 */
export class ShareJoiner {
  readonly #options: ShareJoinerOptions;
  #seedCommitment: string | undefined;

  constructor(options: ShareJoinerOptions) {
    this.#options = options;
  }

  /**
   * Without the seed nobody can say which of two is right: blocks of several seeds are refused before any
   * of them is moved.
   *
   * @throws InputError `bad-seed`; MachineError.
   */
  async agree(blocks: readonly BatchBlock[]): Promise<void> {
    if (this.#options.seed !== undefined) return;
    let first: string | undefined;
    for (const block of blocks) {
      for (const folder of await this.#placesOf(block)) {
        const commitment = await statedCommitment(folder);
        if (commitment === undefined) continue;
        first ??= folder;
        this.#seedCommitment ??= commitment;
        if (commitment === this.#seedCommitment) continue;
        const message = `${printable(first)} and ${printable(folder)} were made from different seeds, and nothing was joined; give the seed, or leave out the share that is wrong`;
        throw new InputError('bad-seed', message);
      }
    }
  }

  /**
   * @returns `kept`, `joined`, or how the block did not come about: `missing`, `refused`, `failed`.
   * @throws MachineError and whatever else stops the whole batch; the signal's reason.
   */
  async join(block: BatchBlock): Promise<BlockOutcome> {
    try {
      return await this.#join(block);
    } catch (error) {
      const isInput = error instanceof InputError && error.code !== 'locked';
      if (this.#options.signal?.aborted === true || !isInput) throw error;
      return { outcome: 'refused', reason: error.message };
    }
  }

  async #join(block: BatchBlock): Promise<BlockOutcome> {
    const { outputFolder, signal } = this.#options;
    const time = this.#options.now?.();
    const parent = await makeJobFolder(outputFolder, block.job.subfolders);
    await mendLeftovers(parent, block.name);
    const target = join(parent, block.name);
    const standing = await this.#check(target, block);
    if (standing.kind === 'whole') {
      await adoptBlock(target, { time, signal });
      return outcomeOf('kept', standing.notChecked);
    }
    if (standing.kind === 'broken' || standing.kind === 'foreign') {
      return notJoined(target, standing, 'make it anew with gen-block batch in that folder');
    }
    const found = await this.#find(block);
    if ('outcome' in found) return found;
    checkSiblings(this.#options.registries, parent, block.name, found.block);
    const joined = await joinBlock(found.folder, target, { time, signal });
    if (joined !== 'taken') return outcomeOf('joined', found.notChecked);
    return { outcome: 'refused', reason: `${printable(target)} has come up in between` };
  }

  /** The block in the shares: whole in one of them, and not another in any. */
  async #find(block: BatchBlock): Promise<Found | BlockOutcome> {
    let whole: Found | undefined;
    let broken: BlockOutcome | undefined;
    for (const share of this.#options.shares) {
      const parent = await findJobFolder(share, block.job.subfolders);
      if (parent === undefined) continue;
      const folder = join(parent, block.name);
      const standing = await this.#check(folder, block);
      if (standing.kind === 'nothing') continue;
      if (standing.kind === 'foreign') return notJoined(folder, standing, '');
      if (standing.kind === 'broken') {
        broken = notJoined(folder, standing, 'make it anew with the share that it belongs to');
        continue;
      }
      const own = blockInFolder(folder);
      const difference = whole && contentDifference(whole.block, own);
      if (whole && difference !== undefined) {
        const reason = `${printable(whole.folder)} and ${printable(folder)} hold different tickets; leave out the share that is wrong`;
        return { outcome: 'refused', reason };
      }
      whole ??= { folder, block: own, notChecked: standing.notChecked };
    }
    if (whole ?? broken) return whole ?? defined(broken, 'a broken block');
    const reason = `none of the shares has ${printable(block.path)}; make it with the share that it belongs to, and join again`;
    return { outcome: 'missing', reason };
  }

  /** Where a block can lie: in the output folder and in each share. */
  async #placesOf({ job, name }: BatchBlock): Promise<readonly string[]> {
    const { outputFolder, shares } = this.#options;
    const places: string[] = [];
    for (const folder of [outputFolder, ...shares]) {
      const parent = await findJobFolder(folder, job.subfolders);
      if (parent !== undefined) places.push(join(parent, name));
    }
    return places;
  }

  async #check(folder: string, { job, emission, block }: BatchBlock): Promise<Standing> {
    const { game, stake, engine, formats, compression } = job;
    const { seed, threads, identities, signal } = this.#options;
    return checkExisting(folder, {
      request: { game, stakeCents: stake.stakeCents, engine, emission, block, seed },
      seedCommitment: this.#seedCommitment,
      forms: { formats, compression },
      encryption: 'either',
      identities,
      recheck: false,
      ...{ threads, signal },
    });
  }
}

function outcomeOf(outcome: 'kept' | 'joined', reason: string | undefined): BlockOutcome {
  return { outcome, ...(reason !== undefined && { reason }) };
}

function notJoined(
  folder: string,
  { kind, reason }: Extract<Standing, { readonly reason: string }>,
  advice: string,
): BlockOutcome {
  const what = `${printable(folder)} is there, and ${reason}`;
  if (kind === 'foreign') return { outcome: 'refused', reason: `${what}; move it away` };
  return { outcome: 'failed', reason: `${what}; ${advice}, or move it away` };
}
