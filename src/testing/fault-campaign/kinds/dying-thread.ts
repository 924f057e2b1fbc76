import type { FaultCase, FaultKind, Trial } from '../fault-kind.js';

/** How a thread ends; `memory` needs a ceiling that it can reach soon. */
const DEATHS = ['exit', 'throw', 'later', 'memory'] as const;
const HEAP_MEGABYTES = 96;

function deathCase({ bench }: Trial, index: number): FaultCase {
  const death = DEATHS[index % DEATHS.length] ?? 'exit';
  return {
    label: death,
    // A program that does without its threads may also go on.
    expected: { exits: [0, 3] },
    strike: async (place) => {
      const preload = ['--import', bench.preload('dying-thread')];
      const ended = await bench.run(place, {
        nodeOptions: [`--max-old-space-size=${HEAP_MEGABYTES}`, ...preload],
        env: { FAULT_THREAD: death },
        more: ['--threads', '2'],
      });
      return { ended: [ended], isMet: ended.exit === 3 };
    },
  };
}

export const DYING_THREAD: FaultKind = {
  name: 'dying-thread',
  what: 'a worker thread ends, throws, or runs out of memory',
  needs: [],
  wholeCount: 20,
  smallCount: 2,
  cases: async (trial) =>
    Promise.resolve(Array.from({ length: trial.count }, (_, index) => deathCase(trial, index))),
};
