import type { FaultCase, FaultKind, Trial } from '../fault-kind.js';
import type { Launch } from '../run-program.js';

/** What becomes of standard output, and the exit code that is right: a reader may go, a disk may not. */
const OUTPUTS: readonly (readonly [NonNullable<Launch['stdout']>, exitCode: number])[] = [
  ['closed', 0],
  ['/dev/full', 3],
];

function outputCase({ bench }: Trial, index: number): FaultCase {
  const [stdout, exitCode] = OUTPUTS[index % OUTPUTS.length] ?? (['closed', 0] as const);
  return {
    label: stdout,
    expected: { exits: [exitCode] },
    strike: async (place) => {
      return { ended: [await bench.run(place, { stdout })], isMet: true };
    },
  };
}

export const CLOSED_OUTPUT: FaultKind = {
  name: 'closed-output',
  what: 'standard output closed (EPIPE) or full',
  needs: [],
  wholeCount: 10,
  smallCount: 1,
  cases: async (trial) =>
    Promise.resolve(Array.from({ length: trial.count }, (_, index) => outputCase(trial, index))),
};
