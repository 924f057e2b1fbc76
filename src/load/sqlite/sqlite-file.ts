import { constants } from 'node:fs';
import { access, lstat, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InputError, machineError, systemErrorCode } from '../../core/errors.js';
import type { SqliteTarget } from './sqlite-connection.js';

const OWNER_ONLY = 0o600;

/** The file of a database: where it is, and what it is called in messages. */
type DatabaseFile = Pick<SqliteTarget, 'path' | 'label'>;

/**
 * Whether a database's file is there.
 *
 * @throws InputError `not-found` where what is there is no regular file; MachineError.
 */
export async function isDatabaseThere({ path, label }: DatabaseFile): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw machineError('read', path, error);
  });
  if (found?.isFile() === true) return true;
  if (found !== undefined) {
    throw new InputError('not-found', `${label} is not a regular file; choose another file`);
  }
  const link = await lstat(path).catch(() => undefined);
  if (link?.isSymbolicLink() === true) {
    const message = `${label} is a symbolic link to a file that is not there; remove it, or choose another file`;
    throw new InputError('not-found', message);
  }
  return false;
}

/**
 * Makes sure that a database's file can be made, without making it.
 *
 * @throws MachineError where its folder is not there or takes no files.
 */
export async function checkDatabaseFolder({ path }: DatabaseFile): Promise<void> {
  await access(dirname(path), constants.W_OK).catch((error: unknown) => {
    throw machineError('create', path, error);
  });
}

/**
 * Creates an empty file, which SQLite takes for an empty database; it is its owner's only. What is there
 * is not even opened: to close it would let go of the locks that this process has on it. So of several
 * that create it at once one does, and the others find it.
 *
 * @throws what {@link isDatabaseThere} throws.
 */
export async function createDatabaseFile(file: DatabaseFile): Promise<void> {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  try {
    const handle = await open(file.path, O_CREAT | O_EXCL | O_WRONLY, OWNER_ONLY);
    await handle.close();
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw machineError('create', file.path, error);
    // Nor is what has come meanwhile taken for a database unseen.
    await isDatabaseThere(file);
  }
}

/** A database that is to be read, and that nobody has loaded a block into. */
export function noDatabase({ label }: Pick<DatabaseFile, 'label'>): InputError {
  return new InputError('not-found', `there is no database ${label}; load a block first`);
}
