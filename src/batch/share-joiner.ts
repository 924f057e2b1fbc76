import { join } from 'node:path';
import { mendLeftovers } from '../block/block-folder.js';
import { joinBlock } from '../block/join-block.js';
import { adoptBlock } from '../block/registry.js';
import { InputError, printable } from '../core/errors.js';
import type { BatchBlock } from './batch-plan.js';
import { checkExisting, type Standing } from './existing-block.js';
import { makeJobFolder } from './job-folder.js';
import type { BlockOutcome } from './make-batch-block.js';

/** Where the blocks of a batch come from, and where they go. */
export interface ShareJoinerOptions {
  readonly outputFolder: string;
  /** The output folders of the shares. */
  readonly shares: readonly string[];
  /** The seed's bytes as given, where the blocks are to be held against it. */
  readonly seed?: Uint8Array | undefined;
  readonly threads?: number | undefined;
  readonly now?: (() => Date) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Brings the blocks of a batch together that shares of it have made in folders of their own. Each is
 * checked where it lies before it is moved. Without the seed, each is verified in full, and all must
 * have one commitment: that of the first.
 */
export class ShareJoiner {
  readonly #options: ShareJoinerOptions;
  #seedCommitment: string | undefined;

  constructor(options: ShareJoinerOptions) {
    this.#options = options;
  }

  /**
   * @returns `kept`, `joined`, or how the block did not come about: `missing`, `refused`, `failed`.
   * @throws MachineError and whatever else stops the whole batch; the signal's reason.
   */
  async join(block: BatchBlock): Promise<BlockOutcome> {
    try {
      return await this.#join(block);
    } catch (error) {
      if (this.#options.signal?.aborted === true || !(error instanceof InputError)) throw error;
      return { outcome: 'refused', reason: error.message };
    }
  }

  async #join(block: BatchBlock): Promise<BlockOutcome> {
    const { outputFolder, shares, signal } = this.#options;
    const time = this.#options.now?.();
    const parent = await makeJobFolder(outputFolder, block.job.subfolders);
    await mendLeftovers(parent, block.name);
    const target = join(parent, block.name);
    const standing = await this.#check(target, block);
    if (standing.kind === 'whole') {
      await adoptBlock(target, { time, signal });
      return { outcome: 'kept' };
    }
    if (standing.kind !== 'nothing') return notJoined(target, standing);
    for (const share of shares) {
      const source = join(share, block.path);
      const found = await this.#check(source, block);
      if (found.kind === 'nothing') continue;
      if (found.kind !== 'whole') return notJoined(source, found);
      const joined = await joinBlock(source, target, { time, signal });
      if (joined !== 'taken') return { outcome: 'joined' };
      return { outcome: 'refused', reason: `${printable(target)} has come up in between` };
    }
    const reason = `none of the shares has ${printable(block.path)}; make it with the share that it belongs to, and join again`;
    return { outcome: 'missing', reason };
  }

  async #check(folder: string, { job, emission, block }: BatchBlock): Promise<Standing> {
    const { game, stake, engine, formats, compression } = job;
    const { seed, threads, signal } = this.#options;
    const standing = await checkExisting(folder, {
      request: { game, stakeCents: stake.stakeCents, engine, emission, block, seed },
      seedCommitment: this.#seedCommitment,
      forms: { formats, compression },
      recheck: false,
      ...{ threads, signal },
    });
    if (standing.kind === 'whole') this.#seedCommitment ??= standing.seedCommitment;
    return standing;
  }
}

function notJoined(
  folder: string,
  { kind, reason }: Extract<Standing, { readonly reason: string }>,
): BlockOutcome {
  const what = `${printable(folder)} is there, and ${reason}`;
  if (kind === 'foreign') return { outcome: 'refused', reason: `${what}; move it away` };
  return { outcome: 'failed', reason: `${what}; make it anew with the share that it belongs to` };
}
