import { describe, expect, test } from '@jest/globals';
import { InvariantError } from '../core/assert.js';
import { InputError, MachineError } from '../core/errors.js';
import { EXIT, failureOf } from './exit-code.js';

/** An error of the operating system that nobody has put into words. */
const SYSTEM_ERROR = Object.assign(
  new Error("ENOENT: no such file or directory, open '/no/such\u001b[31m'"),
  { code: 'ENOENT', syscall: 'open' },
);

describe('what was thrown becomes one line and an exit code', () => {
  test.each<[string, unknown, string, number]>([
    ['bad input', new InputError('usage', 'say what'), 'say what', EXIT.badInput],
    [
      'a failure of the machine',
      new MachineError('cannot write x: the disk is full', { code: 'ENOSPC' }),
      'cannot write x: the disk is full',
      EXIT.machine,
    ],
    [
      'an error of the system without words',
      SYSTEM_ERROR,
      "the machine failed: ENOENT: no such file or directory, open '/no/such\\u{1b}[31m'",
      EXIT.machine,
    ],
    [
      'a broken invariant',
      new InvariantError('3 stages were expected'),
      'a broken invariant, which is a fault of gen-block itself; please report it: 3 stages were expected',
      EXIT.machine,
    ],
    [
      'an error of a library',
      new TypeError('x is not a function'),
      'an unexpected error, which is a fault of gen-block itself; please report it: x is not a function',
      EXIT.machine,
    ],
    [
      'an error of Node itself',
      Object.assign(new Error('bad argument'), { code: 'ERR_INVALID_ARG_VALUE' }),
      'an unexpected error, which is a fault of gen-block itself; please report it: bad argument',
      EXIT.machine,
    ],
    [
      'something that is no error',
      'a text',
      'an unexpected error, which is a fault of gen-block itself; please report it: a text',
      EXIT.machine,
    ],
  ])('%s', (_, error, message, exitCode) => {
    expect(failureOf(error)).toEqual({ message, exitCode });
  });
});

test('the exit codes are those that are documented', () => {
  expect(EXIT).toEqual({ right: 0, nonconforming: 1, badInput: 2, machine: 3 });
});
