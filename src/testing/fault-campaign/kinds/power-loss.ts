import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { FaultCase, FaultKind, Trial } from '../fault-kind.js';
import { ANYTHING } from '../judge.js';
import { NEEDS } from '../needs.js';
import { runProgram, runTool } from '../run-program.js';
import type { Place } from '../workbench.js';

/** Where the disk of a place is, and what is mounted there. */
const diskOf = ({ folder }: Place): string => join(folder, 'disk');
const imageOf = ({ folder }: Place): string => join(folder, 'image');

/** Takes the power from a mounted ext4: nothing more reaches the disk, not even the journal. */
const POWER_OFF = `
import fcntl, os, struct, sys
folder = os.open(sys.argv[1], os.O_RDONLY)
fcntl.ioctl(folder, 0x8004587D, struct.pack('I', 2))
`;

async function plugIn(place: Place): Promise<void> {
  mkdirSync(diskOf(place), { mode: 0o700 });
  await runTool('truncate', '-s', '64M', imageOf(place));
  await runTool('mkfs.ext4', '-q', '-F', imageOf(place));
  await mountDisk(place);
}

async function mountDisk(place: Place): Promise<void> {
  await runTool('mount', '-o', 'loop', imageOf(place), diskOf(place));
}

async function powerOff(place: Place): Promise<void> {
  await runTool('python3', '-c', POWER_OFF, diskOf(place));
}

/** What a machine does when the power is back. */
async function restart(place: Place): Promise<void> {
  await runTool('umount', diskOf(place));
  const { exit, stdout } = await runProgram(['e2fsck', '-fy', imageOf(place)]);
  // 1 says that it has put something right.
  if (exit !== 0 && exit !== 1) throw new Error(`e2fsck ended with ${String(exit)}: ${stdout}`);
  await mountDisk(place);
}

function powerCase({ bench, dice }: Trial, isAfterEnd: boolean): FaultCase {
  const delay = dice.below(Math.ceil(bench.runMs * 1.3));
  return {
    label: isAfterEnd ? 'right after the end' : `after ${delay} ms`,
    expected: { exits: [0, 3], mayLeave: ANYTHING },
    strike: async (place) => {
      await plugIn(place);
      const strikeLater = async (): Promise<void> => {
        await setTimeout(delay);
        await powerOff(place);
      };
      const ended = await bench.run(place, isAfterEnd ? {} : { onStart: strikeLater });
      if (isAfterEnd) await powerOff(place);
      await restart(place);
      return { ended: [ended], isMet: isAfterEnd || ended.exit !== 0 };
    },
    cleanUp: async (place) => {
      await runTool('umount', diskOf(place));
    },
  };
}

export const POWER_LOSS: FaultKind = {
  name: 'power-loss',
  what: 'the power is gone, during a run or right after it (ext4 on a loop device)',
  needs: [NEEDS.root, NEEDS.mount, NEEDS.ext4, NEEDS.python, NEEDS.loop],
  wholeCount: 16,
  smallCount: 0,
  out: 'disk/out',
  cases: async (trial) => {
    const indexes = Array.from({ length: trial.count }, (_, index) => index);
    return Promise.resolve(indexes.map((index) => powerCase(trial, index % 3 === 0)));
  },
};
