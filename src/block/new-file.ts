import { constants } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';

/** Created here and now, never followed through a link, readable by its owner only. */
const CREATE_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const OWNER_ONLY = 0o600;

/** Codes of file systems that know no second names. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

/** Whether a hard link failed because there are none on the file system. */
export function lacksLinks(error: unknown): boolean {
  return NO_LINKS.has(systemErrorCode(error));
}

/** Opens a new file for writing; it must not exist. */
export async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, CREATE_FLAGS, OWNER_ONLY);
  } catch (error) {
    throw machineError('create', path, error);
  }
}

/**
 * Writes a new small file whole, and does not return before it is on the disk. The bytes never stand
 * under a second name, which could be left behind: the file is made under its own, and taken away
 * again where the writing fails.
 *
 * @throws InputError `target-exists` where something stands under that name; MachineError.
 */
export async function writeNewFile(path: string, bytes: Uint8Array): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await createFile(path);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    const message = `${printable(path)} is there already; move it away or choose another name`;
    throw new InputError('target-exists', message);
  }
  try {
    try {
      await writeAll(handle, bytes, 0);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw machineError('write', path, error);
  }
}

/** Writes all bytes at a position of a file, however few the system takes at a time. */
export async function writeAll(
  handle: FileHandle,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const length = bytes.length - done;
    const { bytesWritten } = await handle.write(bytes, done, length, position + done);
    done += bytesWritten;
  }
}
