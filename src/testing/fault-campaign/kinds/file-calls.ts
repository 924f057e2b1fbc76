import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultCase, FaultKind, Trial } from '../fault-kind.js';
import { ANYTHING, LOCK } from '../judge.js';
import type { Launch } from '../run-program.js';
import type { Place, Workbench } from '../workbench.js';

/** What can become of a call: the system's error, or the end of the process before or after it. */
const OUTCOMES = ['EIO', 'ENOSPC', 'kill-before', 'kill-after'] as const;

/** What may stay where these fail. */
const LEFT: ReadonlyMap<string, RegExp> = new Map([
  ['rm', ANYTHING],
  ['unlink', ANYTHING],
  ['lstat', LOCK],
]);

/** Lets a call of the file layer fail, and has the calls counted. */
function launchWith(bench: Workbench, place: Place, plan: string): Launch {
  const env = { FAULT_FOLDER: place.out, FAULT_PLAN: plan, FAULT_LOG: logOf(place) };
  // The calls of several threads come in another order in each run.
  const more = ['--threads', '1'];
  return { nodeOptions: ['--import', bench.preload('file-calls')], env, more };
}

function logOf({ folder }: Place): string {
  return join(folder, 'calls.json');
}

interface CallLog {
  readonly counts: Readonly<Record<string, number>>;
  readonly isMet: boolean;
}

function readLog(place: Place): CallLog {
  return JSON.parse(readFileSync(logOf(place), 'utf8')) as CallLog;
}

/** How often an undisturbed run makes each call. */
async function countCalls(bench: Workbench): Promise<CallLog['counts']> {
  const place = bench.newPlace();
  const { exit, stderr } = await bench.run(place, launchWith(bench, place, 'none 0 none'));
  if (exit !== 0) throw new Error(`the calls could not be counted: ${stderr}`);
  return readLog(place).counts;
}

function callCase(
  { bench }: Trial,
  [call, nth, outcome]: readonly [string, number, string],
): FaultCase {
  const label = `${call} ${nth} ${outcome}`;
  const isKill = outcome.startsWith('kill');
  const mayLeave = LEFT.get(call);
  return {
    label,
    expected: { exits: [0, isKill ? 'SIGKILL' : 3], ...(mayLeave && { mayLeave }) },
    strike: async (place) => {
      const ended = await bench.run(place, launchWith(bench, place, label));
      return { ended: [ended], isMet: ended.exit === 'SIGKILL' || readLog(place).isMet };
    },
  };
}

export const FILE_CALLS: FaultKind = {
  name: 'file-calls',
  what: 'the n-th call of the file layer fails, or is the last one',
  needs: [],
  wholeCount: 40,
  smallCount: 2,
  cases: async (trial) => {
    const counts = await countCalls(trial.bench);
    const faults = Object.entries(counts).flatMap(([call, count]) =>
      Array.from({ length: count }, (_, index) =>
        OUTCOMES.map((outcome) => [call, index + 1, outcome] as const),
      ).flat(),
    );
    return trial.dice.someOf(faults, trial.count).map((fault) => callCase(trial, fault));
  },
};
