import { randomBytes } from 'node:crypto';
import { link, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { machineError, systemErrorCode } from '../core/errors.js';
import { lacksLinks, writeNewFile } from './new-file.js';
import { isOwnerGone, OWNER_TAG, ownerTag } from './owner.js';

/** What stands behind the name of a file until it is whole. */
const UNFINISHED = new RegExp(
  String.raw`^(?:manifest|commitment)\.json(?:\.[0-9a-f]{16}\.sig)?\.new-(?<owner>${OWNER_TAG})-[0-9a-f]{32}$`,
);

/**
 * Puts a small file into the folder of a finished block. Under its name it is whole or not there at all.
 *
 * @returns False where something has the name already; where the file system knows no second names it is
 * replaced, because whoever puts the same file there at the same time puts the same bytes there.
 * @throws MachineError.
 */
export async function placeBeside(path: string, bytes: Uint8Array): Promise<boolean> {
  return placeUnfinished(path, bytes, async (unfinished) => {
    try {
      await link(unfinished, path);
    } catch (error) {
      if (systemErrorCode(error) === 'EEXIST') return false;
      if (!lacksLinks(error)) throw error;
      await rename(unfinished, path);
    }
    return true;
  });
}

/**
 * The same in the place of what stands there.
 *
 * @throws MachineError.
 */
export async function replaceBeside(path: string, bytes: Uint8Array): Promise<void> {
  await placeUnfinished(path, bytes, async (unfinished) => rename(unfinished, path));
}

/** Takes away what processes that were killed have left of such files. What cannot be taken away stays. */
export async function clearUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const owner = UNFINISHED.exec(name)?.groups?.['owner'];
    if (owner === undefined || !isOwnerGone(owner)) continue;
    await unlink(join(folder, name)).catch(() => undefined);
  }
}

/** Writes a file beside its place, and has it moved there. */
async function placeUnfinished<T>(
  path: string,
  bytes: Uint8Array,
  place: (unfinished: string) => Promise<T>,
): Promise<T> {
  const unfinished = `${path}.new-${ownerTag()}-${randomBytes(16).toString('hex')}`;
  try {
    await writeNewFile(unfinished, bytes);
    return await place(unfinished);
  } catch (error) {
    throw machineError('write', path, error);
  } finally {
    await unlink(unfinished).catch(() => undefined);
  }
}
