import { randomUUID } from 'node:crypto';
import { link, open, readdir, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFile, lacksLinks, writeAll } from '../block/new-file.js';
import { isOwnerGone, OWNER_TAG, ownerTag } from '../block/owner.js';
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
 * @param fill - Hands over the file's bytes, piece by piece; where it fails, there is no file.
 * @throws InputError `target-exists`; MachineError; what `fill` throws.
 */
export async function writeWholeFile(
  path: string,
  options: { readonly force: boolean },
  fill: Fill,
): Promise<void> {
  const folder = dirname(path);
  await clearUnfinished(folder);
  const unfinished = join(folder, `.gen-block-${ownerTag()}-${randomUUID()}.tmp`);
  const ofTarget = async <T>(step: Promise<T>): Promise<T> =>
    step.catch((error: unknown) => {
      throw failureOf(path, error);
    });
  try {
    await fillNewFile(unfinished, fill, ofTarget);
    await ofTarget(options.force ? rename(unfinished, path) : giveName(unfinished, path));
  } finally {
    await unlink(unfinished).catch(() => undefined);
  }
}

const UNFINISHED = new RegExp(String.raw`^\.gen-block-(${OWNER_TAG})-[0-9a-f-]{36}\.tmp$`);

/** Takes away what processes that were killed have left half-written. What cannot be taken away stays. */
async function clearUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const owner = UNFINISHED.exec(name)?.[1];
    if (owner === undefined || !isOwnerGone(owner)) continue;
    await unlink(join(folder, name)).catch(() => undefined);
  }
}

type Fill = (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>;

/**
 * Makes a new file, and does not return before its bytes are on the disk.
 *
 * @param ofFile - Waits for a step of the writing; the filling's own failures pass it by.
 */
async function fillNewFile(
  path: string,
  fill: Fill,
  ofFile: <T>(step: Promise<T>) => Promise<T>,
): Promise<void> {
  const handle = await ofFile(createFile(path));
  let isClosed = false;
  try {
    let position = 0;
    await fill(async (bytes) => {
      await ofFile(writeAll(handle, bytes, position));
      position += bytes.length;
    });
    await ofFile(handle.sync());
    isClosed = true;
    await ofFile(handle.close());
  } finally {
    if (!isClosed) await handle.close().catch(() => undefined);
  }
}

/** Unlike a rename, this never replaces what stands there. */
async function giveName(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path);
  } catch (error) {
    if (!lacksLinks(error)) throw error;
    await copyToNew(unfinished, path);
  }
}

async function copyToNew(from: string, to: string): Promise<void> {
  const source = await open(from);
  try {
    await fillNewFile(
      to,
      async (write) => {
        for await (const bytes of source.createReadStream({ autoClose: false })) {
          await write(bytes as Uint8Array);
        }
      },
      (step) => step,
    );
  } catch (error) {
    // What stood there before is not ours to take away.
    if (!isThere(error)) await unlink(to).catch(() => undefined);
    throw error;
  } finally {
    await source.close();
  }
}

/** What went wrong, said of the file that was asked for and not of the unfinished one. */
function failureOf(path: string, error: unknown): Error {
  if (!isThere(error)) return machineError('write', path, causeOf(error));
  const message = `${printable(path)} is there already; choose another --out, or replace it with --force`;
  return new InputError('target-exists', message);
}

function isThere(error: unknown): boolean {
  return systemErrorCode(causeOf(error)) === 'EEXIST';
}

function causeOf(error: unknown): unknown {
  return error instanceof MachineError ? error.cause : error;
}
