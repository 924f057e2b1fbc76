import { InputError, MachineError, printable } from '../../core/errors.js';

/** What SQLite says where somebody else holds the lock that is needed. */
export const BUSY = 'SQLITE_BUSY';

/** What SQLite says where a row is not what its table takes. */
export const CONSTRAINT = 'SQLITE_CONSTRAINT';

/** SQLite's primary result codes: the lowest byte of what it returns. */
const CODES: ReadonlyMap<number, { readonly code: string; readonly advice?: string }> = new Map([
  [3, { code: 'SQLITE_PERM', advice: 'permission is denied; check its owner and its mode' }],
  [5, { code: BUSY, advice: 'it is in use by another process; try again' }],
  [6, { code: BUSY, advice: 'it is in use by another process; try again' }],
  [7, { code: 'SQLITE_NOMEM', advice: 'there is not enough memory; free some and try again' }],
  [
    8,
    {
      code: 'SQLITE_READONLY',
      advice: 'it is read-only; check the owner and the mode of it and its folder',
    },
  ],
  [
    10,
    {
      code: 'SQLITE_IOERR',
      advice:
        'the device reported an input/output error; check the disk and its free space before you try again',
    },
  ],
  [11, { code: 'SQLITE_CORRUPT', advice: 'it is damaged; restore it from a backup' }],
  [13, { code: 'SQLITE_FULL', advice: 'the disk is full; free some space and try again' }],
  [
    14,
    {
      code: 'SQLITE_CANTOPEN',
      advice:
        'it cannot be opened; check the path, and the owner and the mode of it and its folder',
    },
  ],
  [19, { code: CONSTRAINT }],
  [23, { code: 'SQLITE_AUTH', advice: 'permission is denied; check its owner and its mode' }],
]);

const NOT_A_DATABASE = 26;

/**
 * Turns an error of SQLite into one line with advice. What is no error of SQLite comes back as it is.
 *
 * @param action - What was being done, such as `write`.
 * @param label - What the database is called in messages.
 */
export function sqliteError(action: string, label: string, error: unknown): Error {
  const resultCode = resultCodeOf(error);
  if (resultCode === undefined) return error instanceof Error ? error : new Error(String(error));
  if (resultCode === NOT_A_DATABASE) {
    const message = `${label} is no SQLite database; choose another file`;
    return new InputError('not-found', message, { cause: error });
  }
  const { code = `SQLITE_${resultCode}`, advice } = CODES.get(resultCode) ?? {};
  const why = advice ?? `SQLite said: ${sqliteWords(error)}`;
  return new MachineError(`cannot ${action} ${label}: ${why}`, { code, cause: error });
}

/** What SQLite itself said of an error, in one line. */
export function sqliteWords(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return printable(String(hasMessage ? error.message : error));
}

/** By its shape: errors of other realms (tests) are no instances of this Error. */
function resultCodeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode % 256 : undefined;
}
