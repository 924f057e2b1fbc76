import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { FaultCase, FaultKind, Trial } from '../fault-kind.js';
import type { Expected } from '../judge.js';
import { memoryGroups, NEEDS } from '../needs.js';
import type { Place } from '../workbench.js';

const BYTES_PER_MEGABYTE = 1024 * 1024;
const CEILING_MEGABYTES = 128;

/** A group of this fault's own, named after the campaign's folder and the place. */
function groupOf(place: Place): string {
  const name = place.folder.split('/').slice(-2).join('-');
  return join(memoryGroups()?.folder ?? '', basename(name));
}

function memoryCase({ bench }: Trial, megabytes: number, expected: Expected): FaultCase {
  return {
    label: `${megabytes} MB`,
    expected,
    strike: async (place) => {
      const group = groupOf(place);
      mkdirSync(group);
      const ceiling = String(megabytes * BYTES_PER_MEGABYTE);
      writeFileSync(join(group, memoryGroups()?.ceiling ?? ''), ceiling);
      const join_ = 'echo $$ > "$0"/cgroup.procs && exec "$@"';
      const ended = await bench.run(place, { wrap: ['sh', '-c', join_, group] });
      return { ended: [ended], isMet: expected.exits.length === 1 || ended.exit !== 0 };
    },
    cleanUp: async (place) => {
      // The system counts the last pages of a process a little longer than the process.
      await setTimeout(100);
      rmdirSync(groupOf(place));
    },
  };
}

export const MEMORY_CEILING: FaultKind = {
  name: 'memory',
  what: 'a whole block of Eldorado with no more than 128 MB of memory',
  needs: [NEEDS.root, NEEDS.memoryGroup],
  wholeCount: 3,
  smallCount: 0,
  isAlone: true,
  jobs: () => ({
    format: 'gen-block-jobs/1',
    emission: 1,
    jobs: [{ game: 'eldorado', stake_cents: 100, blocks: { first: 1, last: 1 } }],
  }),
  cases: async (trial) => {
    const expected: Expected = { exits: [0] };
    const one = (): FaultCase => memoryCase(trial, CEILING_MEGABYTES, expected);
    return Promise.resolve(Array.from({ length: trial.count }, one));
  },
};

/** Below what the program needs: the system ends it, or Node does. */
const LEAST_MEGABYTES = 10;
const MOST_MEGABYTES = 40;
const ENDS: Expected = { exits: [0, 3, 'SIGKILL', 'SIGABRT', 'SIGTRAP'] };

export const LITTLE_MEMORY: FaultKind = {
  name: 'little-memory',
  what: 'less memory than the program needs',
  needs: [NEEDS.root, NEEDS.memoryGroup],
  wholeCount: 14,
  smallCount: 0,
  cases: async (trial) => {
    const { dice, count } = trial;
    const megabytes = (): number => LEAST_MEGABYTES + dice.below(MOST_MEGABYTES - LEAST_MEGABYTES);
    return Promise.resolve(
      Array.from({ length: count }, () => memoryCase(trial, megabytes(), ENDS)),
    );
  },
};
