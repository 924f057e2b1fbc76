import { randomUUID } from 'node:crypto';
import { link, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeNewFile } from '../block/new-file.js';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';

/**
 * Writes a file for its owner only, which under its name is there whole or not at all, whenever the
 * process is stopped.
 *
 * @param options.force - Whether a file of that name is replaced.
 * @throws InputError `target-exists`; MachineError.
 */
export async function writeWholeFile(
  path: string,
  bytes: Uint8Array,
  options: { readonly force: boolean },
): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomUUID()}.tmp`);
  await writeNewFile(unfinished, bytes);
  try {
    if (options.force) {
      await rename(unfinished, path);
      return;
    }
    // Unlike a rename, this never replaces what stands there.
    await link(unfinished, path);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') {
      const message = `${printable(path)} is there already; choose another --out, or replace it with --force`;
      throw new InputError('target-exists', message);
    }
    throw machineError('write', path, error);
  } finally {
    await unlink(unfinished).catch(() => undefined);
  }
}
