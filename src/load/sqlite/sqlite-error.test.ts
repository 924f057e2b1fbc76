import { expect, test } from '@jest/globals';
import { sqliteError } from './sqlite-error.js';

/** An error as the driver throws it. */
function driverError(errcode: number): Error {
  return Object.assign(new Error('said by SQLite'), { code: 'ERR_SQLITE_ERROR', errcode });
}

test.each([
  [3, 'SQLITE_PERM', 'permission is denied; check its owner and its mode'],
  [5, 'SQLITE_BUSY', 'it is in use by another process; try again'],
  [517, 'SQLITE_BUSY', 'it is in use by another process; try again'],
  [6, 'SQLITE_BUSY', 'it is in use by another process; try again'],
  [7, 'SQLITE_NOMEM', 'there is not enough memory; free some and try again'],
  [1032, 'SQLITE_READONLY', 'it is read-only; check the owner and the mode of it and its folder'],
  [
    778,
    'SQLITE_IOERR',
    'the device reported an input/output error; check the disk and its free space before you try again',
  ],
  [11, 'SQLITE_CORRUPT', 'it is damaged; restore it from a backup'],
  [13, 'SQLITE_FULL', 'the disk is full; free some space and try again'],
  [
    14,
    'SQLITE_CANTOPEN',
    'it cannot be opened; check the path, and the owner and the mode of it and its folder',
  ],
  [1555, 'SQLITE_CONSTRAINT', 'SQLite said: said by SQLite'],
  [1, 'SQLITE_1', 'SQLite said: said by SQLite'],
])('result code %d is %s with advice', (errcode, code, advice) => {
  const error = sqliteError('write', 'sqlite:sales.db', driverError(errcode));
  const message = `cannot write sqlite:sales.db: ${advice}`;
  expect(error).toMatchObject({ name: 'MachineError', code, message });
});

test('a file of another kind is no machine trouble', () => {
  const error = sqliteError('read', 'sqlite:sales.db', driverError(26));
  const message = 'sqlite:sales.db is no SQLite database; choose another file';
  expect(error).toMatchObject({ name: 'InputError', code: 'not-found', message });
});

test('what is no error of SQLite stays as it is', () => {
  const error = new TypeError('a fault');
  expect(sqliteError('read', 'sqlite:sales.db', error)).toBe(error);
  expect(sqliteError('read', 'sqlite:sales.db', 'a text')).toEqual(new Error('a text'));
});
