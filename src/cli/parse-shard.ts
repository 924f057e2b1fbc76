import type { Shard } from '../batch/batch-plan.js';
import { InputError, printable } from '../core/errors.js';

/** A scheduler that numbers the runs of an array, and tells each its number in the environment. */
interface Scheduler {
  readonly variable: string;
  /** The number of the first run. */
  readonly from: 0 | 1;
  /** How such runs are started, in words that follow "start it". */
  readonly start: (count: number) => string;
}

const SCHEDULERS: ReadonlyMap<string, Scheduler> = new Map<string, Scheduler>([
  [
    'kubernetes',
    {
      variable: 'JOB_COMPLETION_INDEX',
      from: 0,
      start: (count) => `as a Job with completionMode: Indexed and completions: ${count}`,
    },
  ],
  [
    'slurm',
    {
      variable: 'SLURM_ARRAY_TASK_ID',
      from: 1,
      start: (count) => `with sbatch --array=1-${count}`,
    },
  ],
]);

/** At most 999,999 shares, which is more than any batch has blocks. */
const SHARD = /^(?<which>[^/]*)\/(?<count>[1-9]\d{0,5})$/;
const NUMBER = /^(?:0|[1-9]\d{0,5})$/;

/**
 * Reads `--shard`: `i/n`, `kubernetes/n` or `slurm/n`. How many shares there are is always written
 * out, so that nothing hidden decides which blocks are made.
 *
 * @param environment - Where a scheduler tells which of its runs this is.
 * @throws InputError `usage`.
 */
export function parseShard(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): Shard {
  const { which = '', count: countText = '' } = SHARD.exec(text)?.groups ?? {};
  const count = Number(countText);
  const scheduler = SCHEDULERS.get(which);
  if (scheduler !== undefined) return scheduledShard(scheduler, count, environment);
  const index = Number(which);
  if (NUMBER.test(which) && index >= 1 && index <= count) return { index, count };
  const message = `--shard ${printable(text, 40)} is no share; write i/n with i from 1 to n, kubernetes/n or slurm/n`;
  throw new InputError('usage', message, { place: '--shard' });
}

function scheduledShard(
  { variable, from, start }: Scheduler,
  count: number,
  environment: Readonly<Record<string, string | undefined>>,
): Shard {
  const text = environment[variable];
  const index = Number(text) - from + 1;
  if (text !== undefined && NUMBER.test(text) && index >= 1 && index <= count) {
    return { index, count };
  }
  const found = text === undefined ? 'is not set' : `is ${printable(text, 40) || 'empty'}`;
  const message = `${variable} ${found}, where a number from ${from} to ${from + count - 1} says which share is meant; start it ${start(count)}`;
  throw new InputError('usage', message, { place: variable });
}
