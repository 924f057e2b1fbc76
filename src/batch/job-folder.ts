import { join } from 'node:path';
import { InputError, printable } from '../core/errors.js';
import { kindOfEntry, makeOutputFolder } from '../block/block-folder.js';

/**
 * Makes the folders between the output folder and a block's own. None of them may be a link, which
 * could lead out of the output folder.
 *
 * @returns The path of the innermost one.
 * @throws InputError `target-exists` where one is no folder; MachineError.
 */
export async function makeJobFolder(
  outputFolder: string,
  subfolders: readonly string[],
): Promise<string> {
  let path = outputFolder;
  for (const name of subfolders) {
    path = join(path, name);
    const kind = await kindOfEntry(path);
    if (kind === 'nothing') await makeOutputFolder(path);
    if (kind === 'other') throw noFolder(path);
  }
  return path;
}

/**
 * The folder between the output folder of a share and a block's own.
 *
 * @returns `undefined` where it is not there.
 * @throws InputError `target-exists` where one of those on the way is no folder; MachineError.
 */
export async function findJobFolder(
  share: string,
  subfolders: readonly string[],
): Promise<string | undefined> {
  let path = share;
  for (const name of subfolders) {
    path = join(path, name);
    const kind = await kindOfEntry(path);
    if (kind === 'nothing') return undefined;
    if (kind === 'other') throw noFolder(path);
  }
  return path;
}

function noFolder(path: string): InputError {
  const message = `${printable(path)} is no folder of its own (links are not followed); move it away or name another "out"`;
  return new InputError('target-exists', message);
}
