import { expect, test } from '@jest/globals';
import { InvariantError } from './assert.js';
import { InputError, MachineError } from './errors.js';
import { endedThreadError, fromThreadError, toThreadError } from './thread-error.js';

/** As another thread gets it. */
function sent(thrown: unknown): Error {
  return fromThreadError(structuredClone(toThreadError(thrown)));
}

test.each([
  new InputError('bad-number', 'give another', { place: 'threads' }),
  new InputError('locked', 'wait for it'),
  new MachineError('the disk is full', { code: 'ENOSPC' }),
  new InvariantError('found 1'),
  new Error('something else'),
])('%p has its class, its message and what it says besides', (error) => {
  const other = sent(error);
  expect(other.constructor).toBe(error.constructor);
  expect(other.message).toBe(error.message);
  expect(Object.entries(other)).toEqual(Object.entries(error));
});

test("an error of the operating system's keeps its code", () => {
  const other = sent(Object.assign(new TypeError('no'), { code: 'EMFILE' }));
  expect(other).toMatchObject({ message: 'no', code: 'EMFILE' });
});

test('what is no error becomes one', () => {
  expect(sent('a text')).toMatchObject({ message: 'a text' });
  expect(sent(undefined)).toMatchObject({ message: 'undefined' });
});

test.each([
  [{ exitCode: 7, cause: undefined }, 'ECHILD', 'died (exit code 7)'],
  [{ exitCode: 1, cause: new Error('two\nlines') }, 'ECHILD', 'died (two\\u{a}lines)'],
  [
    { exitCode: 1, cause: Object.assign(new Error('full'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }) },
    'ENOMEM',
    'ran out of memory',
  ],
])('a thread that dies of %j is a failure of the machine, in one line', (death, code, what) => {
  const error = endedThreadError('verifying x.csv', death);
  expect(error).toBeInstanceOf(MachineError);
  expect(error).toMatchObject({ code, cause: death.cause });
  expect(error.message).toBe(
    `the thread that was verifying x.csv ${what}; run the same command again, with fewer --threads`,
  );
});
