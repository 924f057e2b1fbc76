import { parentPort } from 'node:worker_threads';
import { defined } from '../core/assert.js';
import { toThreadError } from '../core/thread-error.js';
import type { Game } from '../definitions/game.js';
import type { ThreadMessage, ThreadOrder } from './block-thread.js';
import { makeBatchBlock, type BlockTask } from './make-batch-block.js';

/** A thread that makes blocks of a batch, one at a time, and says what becomes of them. */
const port = defined(parentPort ?? undefined, 'the port of a thread');

/** Progress is told in steps of this part of a block. */
const STEPS = 200;

/** By the hash of their definition. Each task brings a copy; the first one has its outcomes laid out. */
const games = new Map<string, Game>();

let inHand: AbortController | undefined;

function say(message: ThreadMessage): void {
  port.postMessage(message);
}

async function make(task: BlockTask, signal: AbortSignal): Promise<void> {
  const { definitionSha256 } = task.request.game;
  const game = games.get(definitionSha256) ?? task.request.game;
  games.set(definitionSha256, game);
  let step = 0;
  const onShare = (share: number): void => {
    if (Math.floor(share * STEPS) === step) return;
    step = Math.floor(share * STEPS);
    say({ share });
  };
  try {
    const request = { ...task.request, game };
    say({ made: await makeBatchBlock({ ...task, request }, { onShare, signal }) });
  } catch (error) {
    say({ failure: toThreadError(error) });
  }
}

port.on('message', (order: ThreadOrder) => {
  if ('stop' in order) {
    inHand?.abort();
    return;
  }
  inHand = new AbortController();
  void make(order.task, inHand.signal);
});
