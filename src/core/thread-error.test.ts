import { expect, test } from '@jest/globals';
import { MachineError } from './errors.js';
import { threadError } from './thread-error.js';

test.each([
  [undefined, 'ERR_THREAD_ENDED', ''],
  [new Error('two\nlines'), 'ERR_THREAD_ENDED', ' (two\\u{a}lines)'],
  [
    Object.assign(new Error('full'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }),
    'ERR_WORKER_OUT_OF_MEMORY',
    ' (full)',
  ],
])('a thread that dies of %p is a failure of the machine, in one line', (cause, code, why) => {
  const error = threadError('verifying x.csv', cause);
  expect(error).toBeInstanceOf(MachineError);
  expect(error).toMatchObject({ code, cause });
  expect(error.message).toBe(
    `the thread that was verifying x.csv has ended before it was done${why}; run the same command again, with --threads 1 if that happens again`,
  );
});
