import { mkdirSync } from 'node:fs';
import type { FaultCase, FaultKind, Trial } from '../fault-kind.js';
import { NEEDS } from '../needs.js';
import { runTool } from '../run-program.js';
import type { Place } from '../workbench.js';

/** All blocks take 2.2 MB: most of these disks are too small. */
const SMALLEST_KIB = 16;
const LARGEST_KIB = 2600;
/** All blocks take 13 files and folders, and three more while they are made. */
const MOST_INODES = 18;

async function mountDisk(place: Place, options: string): Promise<void> {
  mkdirSync(place.out, { mode: 0o700 });
  await runTool('mount', '-t', 'tmpfs', '-o', `mode=0700,${options}`, 'tmpfs', place.out);
}

function fullCase({ bench }: Trial, options: string): FaultCase {
  return {
    label: options,
    expected: { exits: [0, 3] },
    strike: async (place) => {
      await mountDisk(place, options);
      const ended = await bench.run(place);
      return { ended: [ended], isMet: ended.exit === 3 };
    },
    heal: async ({ out }) => {
      await runTool('mount', '-o', 'remount,size=64m,nr_inodes=1000', out);
    },
    cleanUp: async ({ out }) => {
      await runTool('umount', out);
    },
  };
}

export const DISK_FULL: FaultKind = {
  name: 'disk-full',
  what: 'a disk that is too small, in bytes or in files (tmpfs)',
  needs: [NEEDS.root, NEEDS.mount],
  wholeCount: 30,
  smallCount: 0,
  cases: async (trial) => {
    const { dice, count } = trial;
    const cases = Array.from({ length: count }, (_, index) => {
      const size = SMALLEST_KIB + dice.below(LARGEST_KIB - SMALLEST_KIB);
      const files = `size=64m,nr_inodes=${2 + dice.below(MOST_INODES)}`;
      return fullCase(trial, index % 4 === 3 ? files : `size=${size}k`);
    });
    return Promise.resolve(cases);
  },
};
