import { randomBytes } from 'node:crypto';
import { link, lstat, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';
import { readFileBytes } from '../core/read-json-file.js';
import { parseStrictJson } from '../core/strict-json.js';
import { writeNewFile } from '../block/new-file.js';
import { isOwnerGone, ownerTag } from '../block/owner.js';
import { isHolderGone, parseHolder, thisHolder, type LockHolder } from './lock-holder.js';

/** The name of the lock in an output folder. */
export const LOCK_FILE = '.gen-block.lock';

/** Locks are this small. */
const MOST_LOCK_BYTES = 4096;

/** A lock that changes hands more often while it is asked for is asked for by very many. */
const MOST_ATTEMPTS = 100;

/** Beside the lock: a lock before it has its name, and the right to take a dead process's lock away. */
const NEW_LOCK = /^\.gen-block\.lock\.new-(?<owner>\d+-[0-9a-f]{12})-[0-9a-f]{32}$/;
const CLAIM = /^\.gen-block\.lock\.[0-9a-f]{32}$/;

/** An output folder that no other batch writes to until it is released. */
export interface FolderLock {
  readonly release: () => Promise<void>;
}

/**
 * Locks an output folder for this process. A lock gets its name whole and in one step, so that whatever
 * stands under it says whose it is. The lock of a process that is known to be gone is taken over.
 *
 * @throws InputError `locked` where another process holds it; MachineError.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const nonce = randomBytes(16).toString('hex');
  const made = join(folder, `${LOCK_FILE}.new-${ownerTag()}-${nonce}`);
  const path = join(folder, LOCK_FILE);
  await writeNewFile(made, Buffer.from(`${JSON.stringify(thisHolder(nonce))}\n`));
  try {
    await take(made, path);
  } finally {
    await unlinkIfThere(made);
  }
  await removeLeftovers(folder);
  return {
    // Somebody may have removed it by hand, and another have taken it since.
    release: async () => {
      if ((await holderOf(path))?.nonce === nonce) await unlinkIfThere(path);
    },
  };
}

/**
 * Gives a new lock its name. Where a dead process's lock has it, only whoever holds the claim named
 * after that very lock may take it away: of two that find it at once, the slower one would else take
 * away the lock of the faster. A claim is a lock itself, and its holder can die as well.
 */
async function take(made: string, path: string): Promise<void> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    if (await linkIfFree(made, path)) return;
    const holder = await holderOf(path);
    if (holder === undefined) continue;
    if (!isHolderGone(holder)) throw await heldError(path, holder);
    const claim = join(path, '..', `${LOCK_FILE}.${holder.nonce}`);
    await take(made, claim);
    try {
      if ((await holderOf(path))?.nonce === holder.nonce) await unlinkIfThere(path);
    } finally {
      await unlinkIfThere(claim);
    }
  }
  throw new InputError('locked', `${printable(path)} changes hands all the time; try again later`);
}

async function linkIfFree(made: string, path: string): Promise<boolean> {
  try {
    await link(made, path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw machineError('create', path, error);
  }
}

/** Who holds a lock; `undefined` where it has just been released. */
async function holderOf(path: string): Promise<LockHolder | undefined> {
  try {
    const entry = await lstat(path);
    if (!entry.isFile()) throw foreignError(path);
    const bytes = readFileBytes(path, MOST_LOCK_BYTES);
    const holder = parseHolder(parseStrictJson(bytes, { place: path, maxBytes: MOST_LOCK_BYTES }));
    if (holder === undefined) throw foreignError(path);
    return holder;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    if (!(error instanceof InputError)) throw machineError('read', path, error);
    if (error.code === 'not-found') return undefined;
    throw error.code === 'bad-json' ? foreignError(path) : error;
  }
}

function foreignError(path: string): InputError {
  const message = `${printable(path)} is no lock that a batch has made; remove it once you are sure that no batch is running`;
  return new InputError('locked', message);
}

async function heldError(path: string, { pid, host }: LockHolder): Promise<InputError> {
  const since = await lstat(path).then(
    ({ mtime }) => ` since ${mtime.toISOString()}`,
    () => '',
  );
  const message = `another batch works on this folder: process ${pid} on ${printable(host, 80)} has held ${printable(path)}${since}; wait for it, or remove the lock once you are sure that it is gone`;
  return new InputError('locked', message);
}

/** What processes that were killed in the middle of taking the lock have left. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw machineError('read', folder, error);
  });
  for (const name of names) {
    const path = join(folder, name);
    const owner = NEW_LOCK.exec(name)?.groups?.['owner'];
    if (owner !== undefined && isOwnerGone(owner)) await unlinkIfThere(path);
    if (!CLAIM.test(name)) continue;
    const holder = await holderOf(path).catch(() => undefined);
    if (holder !== undefined && isHolderGone(holder)) await unlinkIfThere(path);
  }
}

async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw machineError('remove', path, error);
  }
}
