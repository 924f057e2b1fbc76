import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { InputError, machineError, printable, systemErrorCode } from './errors.js';

/** A link is not followed, and a pipe is not waited for. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file of a block for reading. A link is none, even where it leads to a file: that could be
 * exchanged once it has been verified. Neither is a device or a pipe, which could go on for ever.
 *
 * @throws InputError `not-found` where there is no regular file; MachineError.
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(path, READ_FLAGS);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ELOOP') throw notRegular(path);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw machineError('read', path, error);
    throw new InputError('not-found', `there is no file ${printable(path)}; check the path`);
  }
  try {
    if ((await handle.stat()).isFile()) return handle;
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw machineError('read', path, error);
  }
  await handle.close();
  throw notRegular(path);
}

function notRegular(path: string): InputError {
  const message = `${printable(path)} is not a regular file; name the file itself`;
  return new InputError('not-found', message);
}
