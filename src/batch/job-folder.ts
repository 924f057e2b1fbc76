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
    if (kind !== 'other') continue;
    const message = `${printable(path)} is no folder of its own (links are not followed); move it away or name another "out"`;
    throw new InputError('target-exists', message);
  }
  return path;
}
