import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  InputError,
  MachineError,
  machineError,
  printable,
  systemErrorCode,
} from '../core/errors.js';
import { MANIFEST_FILE } from '../formats/manifest.js';
import { isOwnerGone, OWNER_TAG, ownerTag } from './owner.js';

const OWNER_ONLY = 0o700;

/** Names of temporary folders: the block, what it is, whose it is, and something unguessable. */
const TEMPORARY_NAME = new RegExp(
  String.raw`^\.(?<block>.+)\.(?<kind>staging|replaced)-(?<owner>${OWNER_TAG})-[0-9a-f]{32}$`,
);

type TemporaryKind = 'staging' | 'replaced';

/**
 * Makes the output folder where there is none; only its owner can look into it.
 *
 * @throws InputError `target-exists` where it would lie in a block, which would not conform any more; MachineError.
 */
export async function makeOutputFolder(path: string): Promise<void> {
  await refuseFolderInBlock(path);
  try {
    await makeFolders(path);
  } catch (error) {
    throw machineError('create', path, error);
  }
}

async function refuseFolderInBlock(path: string): Promise<void> {
  let folder = resolve(path);
  for (;;) {
    const names = await readdir(folder).catch((): readonly string[] => []);
    if (names.includes(MANIFEST_FILE) && names.some((name) => name.startsWith('tickets.'))) {
      const message = `${printable(path)} lies in the folder of a block, ${printable(folder)}; choose another --out`;
      throw new InputError('target-exists', message, { place: path });
    }
    const above = dirname(folder);
    if (above === folder) return;
    folder = above;
  }
}

/**
 * Makes a folder and those above it that are missing. Node's own recursive `mkdir` never comes back
 * from file systems that refuse new folders with ENOENT, as /proc does.
 */
async function makeFolders(path: string, isParentThere = false): Promise<void> {
  try {
    await mkdir(path, { mode: OWNER_ONLY });
    await syncNewName(dirname(path));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' && !isParentThere && dirname(path) !== path) {
      await makeFolders(dirname(path));
      await makeFolders(path, true);
      return;
    }
    if (code !== 'EEXIST') throw error;
    if ((await stat(path)).isDirectory()) return;
    const message = `cannot create the folder ${printable(path)}: a file is there; choose another --out`;
    throw new MachineError(message, { code: 'ENOTDIR', cause: error });
  }
}

/**
 * A folder that a power failure takes away would take its blocks with it. Folders that may be written to
 * but not read cannot be synced, and are no reason to make no block.
 */
async function syncNewName(parent: string): Promise<void> {
  await syncFolder(parent).catch((error: unknown) => {
    if (systemErrorCode(error) !== 'EACCES') throw error;
  });
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
 * Whether something stands under a block's name that a rename would not take away. An empty folder it
 * would, and nothing would be lost by it.
 */
export async function isNameTaken(folder: string): Promise<boolean> {
  const kind = await kindOfEntry(folder);
  return kind === 'other' || (kind === 'folder' && (await entriesOf(folder)).length > 0);
}

/** What lies in a folder, by name. */
export async function entriesOf(
  path: string,
): Promise<readonly { readonly name: string; readonly isFolder: boolean }[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
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
 * Puts a finished folder in the place of an old one, where there is one. The old one stands aside under
 * a temporary name until its place is taken; a stop in between is mended by {@link mendLeftovers}.
 *
 * @returns False where another run has taken the place in between; then its folder stays there.
 */
export async function replaceFolder(staging: string, target: string): Promise<boolean> {
  if ((await kindOfEntry(target)) !== 'folder') return commitFolder(staging, target);
  // The new one is on the disk before the old one is touched.
  await syncFolder(staging);
  const aside = join(dirname(target), temporaryName(basename(target), 'replaced'));
  await renameIfThere(target, aside);
  let isPlaced: boolean;
  try {
    isPlaced = await commitFolder(staging, target);
  } catch (error) {
    await rename(aside, target).catch(() => undefined);
    throw error;
  }
  await removeFolder(aside);
  return isPlaced;
}

/**
 * Clears up what earlier runs on this block left when they were killed: half-made folders go, and an
 * old block that stands aside without a successor gets its name back. Runs that still go on are left
 * alone.
 *
 * @param isGone - Whether the owner of this tag is known to be gone.
 */
export async function mendLeftovers(
  outputFolder: string,
  blockName: string,
  isGone: (owner: string) => boolean = isOwnerGone,
): Promise<void> {
  const target = join(outputFolder, blockName);
  for (const { name: entry } of await entriesOf(outputFolder)) {
    const parts = TEMPORARY_NAME.exec(entry)?.groups;
    if (parts?.['block'] !== blockName || !isGone(parts['owner'] ?? '')) continue;
    const path = join(outputFolder, entry);
    const isOrphan = parts['kind'] === 'replaced' && (await kindOfEntry(target)) === 'nothing';
    if (isOrphan) await giveNameBack(path, target);
    else await removeFolder(path);
  }
}

async function giveNameBack(aside: string, target: string): Promise<void> {
  try {
    await commitFolder(aside, target);
  } catch (error) {
    // Another run that clears up at the same time was faster.
    if (systemErrorCode(error) !== 'ENOENT') throw error;
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

/** Another run that replaces the same folder may have moved it first. */
async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw machineError('rename', from, error);
  }
}

async function syncAfterRename(target: string): Promise<void> {
  try {
    await syncFolder(dirname(target));
  } catch (error) {
    const message =
      `the block was written to ${printable(target)}, but the disk did not confirm it: ` +
      'run the same command again, which verifies it and keeps it if it is whole';
    throw new MachineError(message, { code: systemErrorCode(error) ?? 'EIO', cause: error });
  }
}

/** Puts the names in a folder on the disk. */
export async function syncFolder(path: string): Promise<void> {
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
