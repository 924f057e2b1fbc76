import { randomUUID } from 'node:crypto';
import { link, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lacksLinks, writeNewFile } from '../block/new-file.js';
import {
  InputError,
  machineError,
  MachineError,
  printable,
  systemErrorCode,
} from '../core/errors.js';

/**
 * Writes a file for its owner only, which under its name is there whole or not at all, whenever the
 * process is stopped; but for file systems without hard links, where only `force` is so strong.
 *
 * @param options.force - Whether a file of that name is replaced.
 * @throws InputError `target-exists`; MachineError.
 */
export async function writeWholeFile(
  path: string,
  bytes: Uint8Array,
  options: { readonly force: boolean },
): Promise<void> {
  const unfinished = join(dirname(path), `.gen-block-${randomUUID()}.tmp`);
  try {
    await writeNewFile(unfinished, bytes);
    if (options.force) await rename(unfinished, path);
    else await giveName({ unfinished, path, bytes });
  } catch (error) {
    throw failureOf(path, error);
  } finally {
    await unlink(unfinished).catch(() => undefined);
  }
}

/** Unlike a rename, this never replaces what stands there. */
async function giveName(file: {
  readonly unfinished: string;
  readonly path: string;
  readonly bytes: Uint8Array;
}): Promise<void> {
  try {
    await link(file.unfinished, file.path);
  } catch (error) {
    if (!lacksLinks(error)) throw error;
    await writeNewFile(file.path, file.bytes);
  }
}

/** What went wrong, said of the file that was asked for and not of the unfinished one. */
function failureOf(path: string, error: unknown): Error {
  const cause = error instanceof MachineError ? error.cause : error;
  if (systemErrorCode(cause) !== 'EEXIST') return machineError('write', path, cause);
  const message = `${printable(path)} is there already; choose another --out, or replace it with --force`;
  return new InputError('target-exists', message);
}
