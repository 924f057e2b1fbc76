import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';

/** Created here and now, never followed through a link, readable by its owner only. */
const CREATE_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const OWNER_ONLY = 0o600;

/** Opens a new file for writing; it must not exist. */
export async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, CREATE_FLAGS, OWNER_ONLY);
  } catch (error) {
    throw machineError('create', path, error);
  }
}

/**
 * Writes a new small file whole, and does not return before it is on the disk. It appears under its
 * name only when it is complete, and never in the place of another file.
 *
 * @throws InputError `target-exists` where something stands under that name; MachineError.
 */
export async function writeNewFile(path: string, bytes: Uint8Array): Promise<void> {
  const name = `.${basename(path)}.${randomBytes(16).toString('hex')}`;
  const temporary = join(dirname(path), name);
  try {
    await writeFileSynced(temporary, bytes);
    await link(temporary, path);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw machineError('create', path, error);
    const message = `${printable(path)} is there already; move it away or choose another name`;
    throw new InputError('target-exists', message);
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
}

/** Writes a small file whole, and does not return before it is on the disk. */
export async function writeFileSynced(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await createFile(path);
  try {
    try {
      await writeAll(handle, bytes, 0);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
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
