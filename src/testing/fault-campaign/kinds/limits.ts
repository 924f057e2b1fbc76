import type { FaultCase, FaultKind, Trial } from '../fault-kind.js';
import type { Ended } from '../run-program.js';

/** A limit that a shell sets before it becomes the program. */
function limitCase(
  { bench }: Trial,
  limit: string,
  isMet: (ended: Ended) => boolean = ({ exit }) => exit === 3,
): FaultCase {
  return {
    label: limit,
    expected: { exits: [0, 3] },
    strike: async (place) => {
      const ended = await bench.run(place, { wrap: ['sh', '-c', `${limit}; exec "$@"`, 'sh'] });
      return { ended: [ended], isMet: isMet(ended) };
    },
  };
}

/** Node itself cannot start with 18. */
const FEWEST_DESCRIPTORS = 19;
const DESCRIPTORS = 20;

export const DESCRIPTORS_LIMIT: FaultKind = {
  name: 'descriptors',
  what: 'no more than 20 descriptors, and somewhat more',
  needs: [],
  wholeCount: 16,
  smallCount: 1,
  cases: async (trial) => {
    const cases = Array.from({ length: trial.count }, (_, index) => {
      const most = index === 0 ? DESCRIPTORS : FEWEST_DESCRIPTORS + index;
      return limitCase(trial, `ulimit -n ${most}`);
    });
    return Promise.resolve(cases);
  },
};

/** What the shell counts files in. */
const BYTES_PER_FILE_BLOCK = 512;

export const FILE_SIZE_LIMIT: FaultKind = {
  name: 'file-size',
  what: 'a limit of the size of a file',
  needs: [],
  wholeCount: 12,
  smallCount: 1,
  cases: async (trial) => {
    const { bench, count, dice } = trial;
    const largest = Math.max(...[...bench.tree.values()].map(({ bytes }) => bytes));
    const most = Math.ceil(largest / BYTES_PER_FILE_BLOCK);
    const cases = Array.from({ length: count }, () =>
      limitCase(trial, `ulimit -f ${1 + dice.below(most)}`),
    );
    return Promise.resolve(cases);
  },
};
