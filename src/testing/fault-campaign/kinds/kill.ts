import { setTimeout } from 'node:timers/promises';
import type { FaultCase, FaultKind, Trial } from '../fault-kind.js';
import type { Expected } from '../judge.js';

/** Runs beside others take longer than the ones that were measured. */
const LATEST_SHARE = 1.3;

/** Every so many runs find a block that is broken, and replace it. */
const REPLACING = 3;

/** A signal at a random instant of a run. */
interface SignalFault {
  readonly signal: NodeJS.Signals;
  readonly expected: Expected;
  /** Of how many runs one starts from a broken block. */
  readonly isReplacing: boolean;
}

function signalCase({ bench, dice }: Trial, fault: SignalFault): FaultCase {
  const { signal, expected, isReplacing } = fault;
  const delay = dice.below(Math.ceil(bench.runMs * LATEST_SHARE));
  return {
    label: `${signal} after ${delay} ms${isReplacing ? ', replacing' : ''}`,
    expected,
    strike: async (place) => {
      const before = isReplacing ? bench.breakBlock(place) : undefined;
      const ended = await bench.run(place, {
        onStart: async (child) => {
          await setTimeout(delay);
          child.kill(signal);
        },
      });
      return { ended: [ended], isMet: ended.exit !== 0, ...(before && { before }) };
    },
  };
}

export const KILL: FaultKind = {
  name: 'kill',
  what: 'kill -9 at a random instant',
  needs: [],
  wholeCount: 200,
  smallCount: 1,
  cases: async (trial) => {
    const expected: Expected = { exits: [0, 'SIGKILL'] };
    const { count } = trial;
    const indexes = Array.from({ length: count }, (_, index) => index);
    const cases = indexes.map((index) => {
      const isReplacing = index % REPLACING === REPLACING - 1;
      return signalCase(trial, { signal: 'SIGKILL', expected, isReplacing });
    });
    return Promise.resolve(cases);
  },
};

/** Signals that end a run in good order, once the program has taken them over from Node. */
const ORDERLY: readonly (readonly [NodeJS.Signals, exitCode: number])[] = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
];

export const STOP: FaultKind = {
  name: 'stop',
  what: 'SIGINT or SIGTERM at a random instant',
  needs: [],
  wholeCount: 24,
  smallCount: 1,
  cases: async (trial) => {
    const cases = Array.from({ length: trial.count }, (_, index) => {
      const [signal, exitCode] = ORDERLY[index % ORDERLY.length] ?? (['SIGINT', 130] as const);
      const expected: Expected = { exits: [0, exitCode, signal] };
      const isReplacing = trial.dice.below(REPLACING) === 0;
      return signalCase(trial, { signal, expected, isReplacing });
    });
    return Promise.resolve(cases);
  },
};
