import { constants } from 'node:fs';
import { access, lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';

/**
 * Whatever can be known to fail about a file that will be made of a block is said before the block is
 * read.
 *
 * @param block - The block's folder, or its manifest.
 * @throws InputError `usage` where the file would lie in the block's folder, `target-exists`,
 * `not-found`; MachineError where the folder cannot be written to.
 */
export async function checkTarget(
  block: string,
  out: string,
  { force }: { readonly force: boolean },
): Promise<void> {
  await checkApart(block, out);
  const entry = await lstat(out).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw machineError('write', out, error);
  });
  if (entry === undefined || (force && entry.isFile())) return;
  const message = entry.isFile()
    ? `${printable(out)} is there already; choose another --out, or replace it with --force`
    : `${printable(out)} is there already and is no file that can be replaced; choose another --out`;
  throw new InputError('target-exists', message);
}

/**
 * Makes sure that a file will not lie in a block's folder.
 *
 * @throws InputError `usage` where it would, `not-found`; MachineError where its folder cannot be written to.
 */
export async function checkApart(block: string, out: string): Promise<void> {
  if ((await folderFor(out)) !== (await folderOfBlock(block))) return;
  const message = `${printable(out)} would lie in the block's own folder, where no other file may be; choose another folder`;
  throw new InputError('usage', message);
}

/** The folder that a file will stand in, by its real path. */
async function folderFor(out: string): Promise<string> {
  const folder = dirname(out);
  // What cannot even be looked at is for the check of permissions to tell.
  const isFolder = await stat(folder).then(
    (entry) => entry.isDirectory(),
    (error: unknown) => !['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? ''),
  );
  if (!isFolder) {
    const message = `there is no folder ${printable(folder)} for ${printable(basename(out))}; make it first`;
    throw new InputError('not-found', message);
  }
  try {
    await access(folder, constants.W_OK);
    return await realpath(folder);
  } catch (error) {
    throw machineError('write', out, error);
  }
}

/** The real path of the folder of a block that is named by it or by its manifest. */
async function folderOfBlock(block: string): Promise<string | undefined> {
  // Paths that lead nowhere are for the verification to report.
  const entry = await stat(block).catch(() => undefined);
  if (entry === undefined) return undefined;
  return realpath(entry.isDirectory() ? block : dirname(block));
}
