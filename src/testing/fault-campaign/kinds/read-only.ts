import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultCase, FaultKind, Trial } from '../fault-kind.js';
import { NEEDS } from '../needs.js';
import { runTool } from '../run-program.js';
import type { Place } from '../workbench.js';

const READ_ONLY = 0o500;
const OWNER_ONLY = 0o700;

/** Root passes over modes, unless it gives up the right to. */
function boundByModes(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  return ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
}

/** Folders that are made, the last of which takes nothing. */
const REFUSING: readonly (readonly string[])[] = [['.'], ['out'], ['out', 'out/lagon']];

function readOnlyCase({ bench }: Trial, index: number): FaultCase {
  const folders = REFUSING[index % REFUSING.length] ?? [];
  const refusing = ({ folder }: Place): string => join(folder, folders.at(-1) ?? '.');
  return {
    label: `${folders.at(-1) ?? ''} is read-only`,
    expected: { exits: [3] },
    strike: async (place) => {
      for (const folder of folders) {
        mkdirSync(join(place.folder, folder), { recursive: true, mode: OWNER_ONLY });
      }
      chmodSync(refusing(place), READ_ONLY);
      const ended = await bench.run(place, { wrap: boundByModes() });
      return { ended: [ended], isMet: ended.exit === 3 };
    },
    heal: async (place) => {
      chmodSync(refusing(place), OWNER_ONLY);
      return Promise.resolve();
    },
  };
}

export const READ_ONLY_FOLDER: FaultKind = {
  name: 'read-only',
  what: 'a folder that may not be written to',
  needs: [],
  wholeCount: 9,
  smallCount: 1,
  cases: async (trial) =>
    Promise.resolve(Array.from({ length: trial.count }, (_, index) => readOnlyCase(trial, index))),
};

/** How the file system itself refuses, and how it is made to take again. */
const REFUSALS = [
  {
    name: 'a read-only file system',
    // Where nobody can write, no lock is needed, and a batch whose blocks are there has nothing to do.
    exitWhole: 0,
    refuse: async ({ out }: Place) => {
      await runTool('mount', '--bind', out, out);
      await runTool('mount', '-o', 'remount,bind,ro', out);
    },
    allow: async ({ out }: Place) => runTool('umount', out),
  },
  {
    name: 'an immutable folder',
    // Others could still write into its files and folders: the lock cannot be done without.
    exitWhole: 3,
    refuse: async ({ out }: Place) => runTool('chattr', '+i', out),
    allow: async ({ out }: Place) => runTool('chattr', '-i', out),
  },
] as const;

function refusalCase({ bench }: Trial, index: number): FaultCase {
  const refusal = REFUSALS[index % REFUSALS.length] ?? REFUSALS[0];
  const isWhole = index >= REFUSALS.length;
  return {
    label: `${refusal.name}${isWhole ? ' with all blocks' : ''}`,
    expected: { exits: [isWhole ? refusal.exitWhole : 3] },
    strike: async (place) => {
      if (isWhole) await bench.run(place);
      else mkdirSync(place.out, { mode: OWNER_ONLY });
      await refusal.refuse(place);
      return { ended: [await bench.run(place)], isMet: true };
    },
    heal: async (place) => {
      await refusal.allow(place);
    },
    // Where a failure came before that: what was given back is not given back twice.
    cleanUp: async (place) => {
      await refusal.allow(place);
    },
  };
}

export const READ_ONLY_DISK: FaultKind = {
  name: 'read-only-disk',
  what: 'a file system that takes nothing (EROFS, EPERM)',
  needs: [NEEDS.root, NEEDS.mount, NEEDS.chattr],
  wholeCount: 4,
  smallCount: 0,
  cases: async (trial) =>
    Promise.resolve(Array.from({ length: trial.count }, (_, index) => refusalCase(trial, index))),
};
