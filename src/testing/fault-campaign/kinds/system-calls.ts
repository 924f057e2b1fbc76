import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultCase, FaultKind, Trial } from '../fault-kind.js';
import { ANYTHING, LOCK, OLD_BLOCK } from '../judge.js';
import { NEEDS } from '../needs.js';
import type { Launch } from '../run-program.js';
import type { Tree } from '../read-tree.js';
import { tinyJobs } from '../tiny-jobs.js';
import type { Place, Workbench } from '../workbench.js';

/** A system call on the output folder, and what can become of it. */
interface CallFaults {
  readonly call: string;
  readonly outcomes: readonly ('EIO' | 'ENOSPC' | 'KILL')[];
  /** What may stay where it fails. */
  readonly mayLeave?: RegExp;
  /** How often the file thread makes the call before the program is loaded. */
  readonly warmUp?: number;
}

const CALLS: readonly CallFaults[] = [
  { call: 'rename', outcomes: ['EIO', 'ENOSPC', 'KILL'] },
  { call: 'link', outcomes: ['EIO', 'ENOSPC', 'KILL'] },
  { call: 'fsync', outcomes: ['EIO', 'ENOSPC', 'KILL'] },
  { call: 'mkdir', outcomes: ['EIO', 'ENOSPC', 'KILL'] },
  { call: 'pwrite64', outcomes: ['EIO', 'ENOSPC', 'KILL'] },
  { call: 'openat', outcomes: ['EIO', 'KILL'], mayLeave: LOCK, warmUp: 400 },
  { call: 'unlink', outcomes: ['EIO', 'KILL'], mayLeave: ANYTHING },
  { call: 'rmdir', outcomes: ['EIO', 'KILL'], mayLeave: ANYTHING },
  { call: 'close', outcomes: ['EIO'], mayLeave: LOCK, warmUp: 400 },
  { call: 'getdents64', outcomes: ['EIO'] },
  { call: 'statx', outcomes: ['EIO'], mayLeave: LOCK, warmUp: 1500 },
];

/** The steps by which a block takes the place of a broken one. */
const REPLACING: readonly string[] = ['rename', 'fsync', 'unlink', 'rmdir'];

/** Runs the program under the tracer, all its file work in one thread so that calls can be counted. */
function launchWith(
  bench: Workbench,
  { call, warmUp = 0 }: Pick<CallFaults, 'call' | 'warmUp'>,
  options: readonly string[],
): Launch {
  return {
    wrap: ['strace', '-f', '-y', ...options],
    ...(warmUp > 0 && { nodeOptions: ['--import', bench.preload('warm-up')] }),
    env: { UV_THREADPOOL_SIZE: '1', WARM_UP: `${call} ${warmUp}` },
    // What threads load comes at another place in each run.
    more: ['--threads', '1'],
  };
}

/** The start of a line of the tracer: the thread, and the call that it begins. */
const LINE = /^(?<thread>\d+) +(?<call>\w+)\(/;

/** The numbers, within their thread, of the calls of each name that touch a folder. */
export function numbersOfCalls(
  trace: string,
  folder: string,
): ReadonlyMap<string, readonly number[]> {
  const counts = new Map<string, number>();
  const numbers = new Map<string, number[]>();
  for (const line of trace.split('\n')) {
    const { thread = '', call = '' } = LINE.exec(line)?.groups ?? {};
    const number = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, number);
    const isOwn = line.includes(`"${folder}`) || line.includes(`<${folder}`);
    if (isOwn) numbers.set(call, [...(numbers.get(call) ?? []), number]);
  }
  return numbers;
}

interface Start {
  readonly name: string;
  /** Prepares the place; returns what stands there. */
  readonly prepare: (bench: Workbench, place: Place) => Tree | undefined;
  readonly calls: readonly CallFaults[];
}

const STARTS: readonly Start[] = [
  { name: 'from nothing', prepare: () => undefined, calls: CALLS },
  {
    name: 'replacing',
    prepare: (bench, place) => bench.breakBlock(place),
    calls: CALLS.filter(({ call }) => REPLACING.includes(call)),
  },
];

async function casesFrom(start: Start, { bench }: Trial): Promise<readonly FaultCase[]> {
  const cases: FaultCase[] = [];
  for (const faults of start.calls) {
    const { call, outcomes, warmUp = 0 } = faults;
    for (const [index, number] of (await countCalls(bench, start, faults)).entries()) {
      for (const outcome of outcomes) {
        // In any other thread the signal would come while the file thread is still warming up.
        if (outcome === 'KILL' && number <= warmUp) continue;
        const label = `${start.name}, ${call} ${index + 1} ${outcome}`;
        cases.push(callCase(bench, start, { ...faults, number, outcome, label }));
      }
    }
  }
  return cases;
}

/** The numbers of the calls on the output folder in an undisturbed run. */
async function countCalls(
  bench: Workbench,
  start: Start,
  faults: CallFaults,
): Promise<readonly number[]> {
  const place = bench.newPlace();
  const log = join(place.folder, 'trace');
  start.prepare(bench, place);
  const options = ['--seccomp-bpf', '-o', log, '-e', `trace=${faults.call}`];
  const { exit, stderr } = await bench.run(place, launchWith(bench, faults, options));
  if (exit !== 0) throw new Error(`the calls could not be counted: ${stderr}`);
  return numbersOfCalls(readFileSync(log, 'utf8'), place.out).get(faults.call) ?? [];
}

interface CallFault extends CallFaults {
  readonly number: number;
  readonly outcome: string;
  readonly label: string;
}

function callCase(bench: Workbench, start: Start, fault: CallFault): FaultCase {
  const { call, number, outcome, label } = fault;
  // What is replaced stays where the disk does not confirm the new one.
  const mayLeave = call === 'fsync' ? OLD_BLOCK : fault.mayLeave;
  const isKill = outcome === 'KILL';
  const what = isKill ? 'signal=KILL' : `error=${outcome}`;
  return {
    label,
    expected: { exits: [0, isKill ? 'SIGKILL' : 3], ...(mayLeave && { mayLeave }) },
    strike: async (place) => {
      const before = start.prepare(bench, place);
      const log = join(place.folder, 'trace');
      const inject = `inject=${call}:${what}:when=${number}`;
      // Faster, and the tracer sends no signals with it.
      const speed = isKill ? [] : ['--seccomp-bpf'];
      const options = [...speed, '-o', log, '-e', `trace=${call}`, '-e', inject];
      const ended = await bench.run(place, launchWith(bench, fault, options));
      const isMet = isKill ? ended.exit === 'SIGKILL' : isInjected(log, place.out);
      return { ended: [ended], isMet, ...(before && { before }) };
    },
  };
}

function isInjected(log: string, folder: string): boolean {
  const lines = readFileSync(log, 'utf8').split('\n');
  return lines.some((line) => line.includes('(INJECTED)') && line.includes(folder));
}

export const SYSTEM_CALLS: FaultKind = {
  name: 'system-calls',
  what: 'the n-th system call on the output folder fails, or is the last one (strace)',
  needs: [NEEDS.strace],
  wholeCount: 70,
  smallCount: 0,
  jobs: tinyJobs,
  cases: async (trial) => {
    const cases: FaultCase[] = [];
    for (const start of STARTS) cases.push(...(await casesFrom(start, trial)));
    return trial.dice.someOf(cases, trial.count);
  },
};
