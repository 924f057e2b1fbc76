import { setTimeout } from 'node:timers/promises';
import type { FaultCase, FaultKind, Trial } from '../fault-kind.js';

/** Every so many races begin with the lock of a process that is gone. */
const DEAD_LOCK = 2;

function raceCase({ bench, dice }: Trial, runs: number, index: number): FaultCase {
  const isDeadLock = index % DEAD_LOCK === DEAD_LOCK - 1;
  const delay = Math.floor(bench.runMs / 2) + dice.below(Math.ceil(bench.runMs / 2));
  return {
    label: `${runs} runs${isDeadLock ? ` after one that was killed after ${delay} ms` : ''}`,
    expected: { exits: [0, 2] },
    strike: async (place) => {
      if (isDeadLock) {
        await bench.run(place, {
          onStart: async (child) => {
            await setTimeout(delay);
            child.kill('SIGKILL');
          },
        });
      }
      const racing = Array.from({ length: runs }, async () => bench.run(place));
      const ended = await Promise.all(racing);
      const problems = ended.some(({ exit }) => exit === 0) ? [] : ['no run made the blocks'];
      return { ended, isMet: ended.some(({ exit }) => exit === 2), problems };
    },
  };
}

function raceOf(runs: number, smallCount: number): FaultKind {
  return {
    name: `race-${runs}`,
    what: `${runs} runs into one folder at once`,
    needs: [],
    wholeCount: 25,
    smallCount,
    isAlone: true,
    cases: async (trial) => {
      const indexes = Array.from({ length: trial.count }, (_, index) => index);
      return Promise.resolve(indexes.map((index) => raceCase(trial, runs, index)));
    },
  };
}

export const RACE_OF_TWO = raceOf(2, 0);
export const RACE_OF_FOUR = raceOf(4, 1);
