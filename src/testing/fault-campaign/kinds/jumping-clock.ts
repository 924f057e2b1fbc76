import type { FaultCase, FaultKind, Trial } from '../fault-kind.js';

const LONGEST_JUMP_MS = 10 * 365 * 24 * 60 * 60 * 1000;

function clockCase({ bench, dice }: Trial): FaultCase {
  const most = 1 + dice.below(LONGEST_JUMP_MS);
  return {
    label: `jumps of up to ${most} ms`,
    expected: { exits: [0] },
    strike: async (place) => {
      const nodeOptions = ['--import', bench.preload('jumping-clock')];
      const env = { FAULT_CLOCK: String(most) };
      return { ended: [await bench.run(place, { nodeOptions, env })], isMet: true };
    },
  };
}

export const JUMPING_CLOCK: FaultKind = {
  name: 'clock',
  what: 'a clock that jumps forward and back',
  needs: [],
  wholeCount: 12,
  smallCount: 1,
  cases: async (trial) =>
    Promise.resolve(Array.from({ length: trial.count }, () => clockCase(trial))),
};
