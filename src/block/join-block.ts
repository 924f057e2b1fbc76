import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MachineError, machineError, printable } from '../core/errors.js';
import { openRegularFile } from '../core/open-regular-file.js';
import {
  commitFolder,
  entriesOf,
  isNameTaken,
  makeStagingFolder,
  removeFolder,
  syncFolder,
} from './block-folder.js';
import { createFile, writeAll } from './new-file.js';
import { blockInFolder, withRegistry, type RegistryOptions } from './registry.js';

/** How a block has come into an output folder; `taken` where something has its name there. */
export type Joined = 'moved' | 'copied' | 'taken';

/**
 * Brings a whole block, which has been verified, into another output folder and its registry. Within one
 * file system the block's folder is renamed; from another one it is copied, the copy read back and
 * compared, and the original left where it is.
 *
 * @param source - The block's folder.
 * @param target - The path that it gets; the folder above it is there.
 * @throws InputError `registered` where the registry knows other content under that name; what
 * {@link withRegistry} throws; MachineError; the signal's reason.
 */
export async function joinBlock(
  source: string,
  target: string,
  options: RegistryOptions,
): Promise<Joined> {
  try {
    const isMoved = await commitRegistered(source, target, options);
    // Should the power fail before the old name is gone for good, the block stands under both.
    await syncFolder(dirname(source)).catch(() => undefined);
    return isMoved ? 'moved' : 'taken';
  } catch (error) {
    if (!(error instanceof MachineError) || error.code !== 'EXDEV') throw error;
  }
  const staging = await makeStagingFolder(dirname(target), basename(target));
  try {
    for (const { name } of await entriesOf(source)) {
      await copyWhole(join(source, name), join(staging, name), options.signal);
    }
    if (await commitRegistered(staging, target, options)) return 'copied';
  } catch (error) {
    await removeFolder(staging).catch(() => undefined);
    throw error;
  }
  await removeFolder(staging);
  return 'taken';
}

async function commitRegistered(
  folder: string,
  target: string,
  options: RegistryOptions,
): Promise<boolean> {
  const block = blockInFolder(folder);
  return withRegistry(dirname(target), options, async (registry) => {
    if (await isNameTaken(target)) return false;
    await registry.enter(block, { event: 'adopted' });
    return commitFolder(folder, target);
  });
}

/** Copies a file into a new one, and reads it back from the disk. */
async function copyWhole(
  source: string,
  target: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const original = createHash('sha256');
  const handle = await createFile(target);
  try {
    let position = 0;
    for await (const piece of piecesOf(source, signal)) {
      original.update(piece);
      await writeAll(handle, piece, position);
      position += piece.length;
    }
    await handle.sync();
  } catch (error) {
    throw machineError('write', target, error);
  } finally {
    await handle.close();
  }
  const copy = createHash('sha256');
  for await (const piece of piecesOf(target, signal)) copy.update(piece);
  if (copy.digest('hex') === original.digest('hex')) return;
  const message = `cannot copy to ${printable(target)}: the disk gives back other bytes than were written; check it before you try again`;
  throw new MachineError(message, { code: 'EIO' });
}

/** The bytes of a regular file; links are not followed. */
async function* piecesOf(
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const handle = await openRegularFile(path);
  try {
    for await (const piece of createReadStream(path, { fd: handle })) {
      signal?.throwIfAborted();
      yield piece as Uint8Array;
    }
  } catch (error) {
    throw machineError('read', path, error);
  }
}
