import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultCase, FaultKind, Trial } from '../fault-kind.js';

/** How a thread ends before it has anything in hand; `memory` needs a ceiling that it can reach soon. */
const EARLY_DEATHS = ['exit', 'throw', 'memory'] as const;
const HEAP_MEGABYTES = 96;

/** A thread that makes two of the small blocks makes more calls than that. */
const MOST_CALLS = 60;

function deathCase({ bench, dice }: Trial, index: number): FaultCase {
  // Two of three die with a block in hand.
  const early = EARLY_DEATHS[Math.floor(index / 3) % EARLY_DEATHS.length] ?? 'exit';
  const death = index % 3 === 2 ? early : `call ${1 + dice.below(MOST_CALLS)}`;
  return {
    label: death,
    // A thread that does not come to its last call has done its work.
    expected: { exits: [0, 3] },
    strike: async (place) => {
      const log = join(place.folder, 'thread-died');
      const preload = ['--import', bench.preload('dying-thread')];
      const ended = await bench.run(place, {
        nodeOptions: [`--max-old-space-size=${HEAP_MEGABYTES}`, ...preload],
        env: { FAULT_THREAD: death, FAULT_LOG: log },
        more: ['--threads', '2'],
      });
      return { ended: [ended], isMet: death === early ? ended.exit === 3 : existsSync(log) };
    },
  };
}

export const DYING_THREAD: FaultKind = {
  name: 'dying-thread',
  what: 'a worker thread ends at a random call or at once, throws, or runs out of memory',
  needs: [],
  wholeCount: 24,
  smallCount: 1,
  cases: async (trial) =>
    Promise.resolve(Array.from({ length: trial.count }, (_, index) => deathCase(trial, index))),
};
