import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { mendLeftovers } from '../block/block-folder.js';
import { clearThreadLock, REGISTRY_LOCK } from '../block/folder-lock.js';
import { ownerTag } from '../block/owner.js';
import {
  endedThreadError,
  fromThreadError,
  type ThreadDeath,
  type ThreadError,
} from '../core/thread-error.js';
import type { BlockOutcome, BlockTask, BlockWatch } from './make-batch-block.js';

/** Out of `src/batch`, `dist/batch` and `dist/program` alike: what the build makes of `block-worker.ts`. */
const WORKER = new URL('../../dist/program/block-worker.js', import.meta.url);

/** What a thread is told: to make a block, or to drop the one in hand. */
export type ThreadOrder = { readonly task: BlockTask } | { readonly stop: true };

/** What a thread says: how far it is, what has become of the block, or why nothing has. */
export type ThreadMessage =
  { readonly share: number } | { readonly made: BlockOutcome } | { readonly failure: ThreadError };

/** The block that a thread has in hand, and who waits for it. */
interface Errand {
  readonly name: string;
  readonly onShare: (share: number) => void;
  readonly resolve: (made: BlockOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread that makes one block after the other, so that it compiles its code only once. It is started
 * when it gets the first one.
 */
export class BlockThread {
  #worker: Worker | undefined;
  #threadId = 0;
  #errand: Errand | undefined;
  #death: ThreadDeath | undefined;

  /** As `makeBatchBlock` does it, and what that throws; MachineError where the thread dies over it. */
  async make(task: BlockTask, watch: BlockWatch): Promise<BlockOutcome> {
    const { signal } = watch;
    signal?.throwIfAborted();
    const worker = (this.#worker ??= this.#start());
    const stop = (): void => {
      tell(worker, { stop: true });
    };
    // Nobody would catch what is thrown where a thread's message arrives.
    let thrown: { readonly error: unknown } | undefined;
    const onShare = (share: number): void => {
      try {
        watch.onShare(share);
      } catch (error) {
        thrown ??= { error };
        stop();
      }
    };
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const made = await this.#send(worker, task, onShare);
      if (thrown === undefined) return made;
      throw thrown.error;
    } catch (error) {
      if (this.#death !== undefined) await this.#clearUp(task);
      throw thrown?.error ?? error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Ends the thread, which has no block in hand. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #send(
    worker: Worker,
    task: BlockTask,
    onShare: (share: number) => void,
  ): Promise<BlockOutcome> {
    const { name } = task;
    try {
      return await new Promise<BlockOutcome>((resolve, reject) => {
        this.#errand = { name, onShare, resolve, reject };
        if (this.#death === undefined) tell(worker, { task });
        else reject(endedThreadError(`making ${name}`, this.#death));
      });
    } finally {
      this.#errand = undefined;
    }
  }

  #start(): Worker {
    const worker = new Worker(WORKER);
    this.#threadId = worker.threadId;
    let cause: unknown;
    worker.on('message', (message: ThreadMessage) => {
      if ('share' in message) this.#errand?.onShare(message.share);
      else if ('made' in message) this.#errand?.resolve(message.made);
      else this.#errand?.reject(fromThreadError(message.failure));
    });
    worker.on('error', (error: unknown) => {
      cause = error;
    });
    // Only now does it touch no file any more.
    worker.on('exit', (exitCode) => {
      this.#death = { exitCode, cause };
      this.#errand?.reject(endedThreadError(`making ${this.#errand.name}`, this.#death));
    });
    return worker;
  }

  /**
   * What a dead thread leaves belongs to a process that lives, so that no run would touch it until that
   * has ended. Where it cannot be removed now, the next run will.
   */
  async #clearUp({ outputFolder, subfolders, name }: BlockTask): Promise<void> {
    const parent = join(outputFolder, ...subfolders);
    const tag = ownerTag(this.#threadId);
    const isDead = (owner: string): boolean => owner === tag;
    // First what keeps others waiting.
    await clearThreadLock(parent, REGISTRY_LOCK, this.#threadId).catch(() => undefined);
    await mendLeftovers(parent, name, isDead).catch(() => undefined);
  }
}

function tell(worker: Worker, order: ThreadOrder): void {
  worker.postMessage(order);
}
