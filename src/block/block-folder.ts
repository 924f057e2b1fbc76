import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MachineError, machineError, systemErrorCode } from '../core/errors.js';
import { isOwnerGone, ownerTag } from './owner.js';

const OWNER_ONLY = 0o700;

/** Names of temporary folders: the block, what it is, whose it is, and something unguessable. */
const TEMPORARY_NAME =
  /^\.(?<block>.+)\.(?<kind>staging|replaced)-(?<owner>\d+-[0-9a-f]{12})-[0-9a-f]{32}$/;

type TemporaryKind = 'staging' | 'replaced';

/** Makes the output folder where there is none; only its owner can look into it. */
export async function makeOutputFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: OWNER_ONLY });
  } catch (error) {
    throw machineError('create', path, error);
  }
}

/** Makes a new folder beside the block's final one, in which the block is made. */
export async function makeStagingFolder(outputFolder: string, blockName: string): Promise<string> {
  const path = join(outputFolder, temporaryName(blockName, 'staging'));
  try {
    await mkdir(path, { mode: OWNER_ONLY });
  } catch (error) {
    throw machineError('create', path, error);
  }
  return path;
}

function temporaryName(blockName: string, kind: TemporaryKind): string {
  return `.${blockName}.${kind}-${ownerTag()}-${randomBytes(16).toString('hex')}`;
}

/** What stands under a path; links are not followed. */
export async function kindOfEntry(path: string): Promise<'nothing' | 'folder' | 'other'> {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return 'nothing';
    throw machineError('read', path, error);
  }
}

/**
 * Gives a finished folder its final name, in one step that is on the disk when it returns.
 *
 * @returns False where something stands under that name already; then nothing has changed.
 */
export async function commitFolder(staging: string, target: string): Promise<boolean> {
  await syncFolder(staging);
  try {
    await rename(staging, target);
  } catch (error) {
    if (isTaken(error)) return false;
    throw machineError('rename', staging, error);
  }
  await syncAfterRename(target);
  return true;
}

/**
 * Puts a finished folder in the place of an old one. The old one stands aside under a temporary name
 * until the new one has its place on the disk; a stop in between is mended by {@link mendLeftovers}.
 */
export async function replaceFolder(
  staging: string,
  target: string,
  blockName: string,
): Promise<void> {
  await syncFolder(staging);
  const aside = join(dirname(target), temporaryName(blockName, 'replaced'));
  await renameOrFail(target, aside);
  try {
    await renameOrFail(staging, target);
  } catch (error) {
    await rename(aside, target).catch(() => undefined);
    throw error;
  }
  await syncAfterRename(target);
  await removeFolder(aside);
}

/**
 * Clears up what earlier runs on this block left when they were killed: half-made folders go, and an
 * old block that stands aside without a successor gets its name back. Runs that still go on are left
 * alone.
 */
export async function mendLeftovers(outputFolder: string, blockName: string): Promise<void> {
  const target = join(outputFolder, blockName);
  const entries = await readdir(outputFolder).catch((error: unknown) => {
    throw machineError('read', outputFolder, error);
  });
  for (const entry of entries) {
    const parts = TEMPORARY_NAME.exec(entry)?.groups;
    if (parts?.['block'] !== blockName || !isOwnerGone(parts['owner'] ?? '')) continue;
    const path = join(outputFolder, entry);
    const isOrphan = parts['kind'] === 'replaced' && (await kindOfEntry(target)) === 'nothing';
    if (isOrphan) await commitFolder(path, target);
    else await removeFolder(path);
  }
}

/** Removes a folder and all that is in it. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    throw machineError('remove', path, error);
  }
}

/** Codes with which systems refuse to rename a folder onto something that is there. */
function isTaken(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemErrorCode(error) ?? '');
}

async function renameOrFail(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    throw machineError('rename', from, error);
  }
}

async function syncAfterRename(target: string): Promise<void> {
  try {
    await syncFolder(dirname(target));
  } catch (error) {
    const message =
      `the block was written to ${target}, but the disk did not confirm it: ` +
      'run the same command again, which verifies it and keeps it if it is whole';
    throw new MachineError(message, { code: systemErrorCode(error) ?? 'EIO', cause: error });
  }
}

async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw machineError('sync', path, error);
  }
}
