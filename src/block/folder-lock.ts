import { randomBytes, randomInt } from 'node:crypto';
import { link, lstat, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';
import { readFileBytes } from '../core/read-json-file.js';
import { parseStrictJson } from '../core/strict-json.js';
import {
  isHeldByThread,
  isHolderGone,
  parseHolder,
  thisHolder,
  type LockHolder,
} from './lock-holder.js';
import { lacksLinks, writeNewFile } from './new-file.js';
import { isOwnerGone, OWNER_TAG, ownerTag } from './owner.js';

/** What a lock of an output folder is for. */
export interface LockPurpose {
  /** The name of the lock's file, of characters that mean nothing in a pattern but the dot. */
  readonly file: string;
  /** What its holder does, in words that go on "another process". */
  readonly work: string;
  /** How long to wait for a holder that is alive; 0 for what takes long itself. */
  readonly patienceMs: number;
}

/** Held by a batch from its beginning to its end. */
export const BATCH_LOCK: LockPurpose = {
  file: '.gen-block.lock',
  work: 'makes a batch in this folder',
  patienceMs: 0,
};

/** Held while a block gets its name and its entry in the registry, for some milliseconds. */
export const REGISTRY_LOCK: LockPurpose = {
  file: '.registry.lock',
  work: 'writes the registry of this folder',
  patienceMs: 30_000,
};

/** Locks are this small. */
const MOST_LOCK_BYTES = 4096;

/** A lock that changes hands more often while it is asked for is asked for by very many. */
const MOST_ATTEMPTS = 100;

/** How long to wait before a lock is asked for again, at most; half of it at least. */
const LONGEST_PAUSE_MS = 40;

/** How long to wait for what is no lock, where there is patience: it may be about to get its text. */
const UNREADABLE_PATIENCE_MS = 500;

/** Beside the lock, behind its name: a lock before it has it, and the right to take a dead one away. */
const NEW_LOCK = new RegExp(String.raw`^\.new-(?<owner>${OWNER_TAG})-[0-9a-f]{32}$`);
const CLAIM = /^\.[0-9a-f]{32}$/;

/** An output folder that nobody else uses for the same purpose until it is released. */
export interface FolderLock {
  readonly release: () => Promise<void>;
}

/**
 * Locks an output folder for this process. A lock gets its name whole and in one step, so that whatever
 * stands under it says whose it is. The lock of a process that is known to be gone is taken over.
 *
 * @throws InputError `locked` where another process holds it for longer than the purpose has patience;
 * MachineError; the signal's reason when it is aborted while waiting.
 */
export async function lockFolder(
  folder: string,
  purpose: LockPurpose,
  signal?: AbortSignal,
): Promise<FolderLock> {
  const nonce = randomBytes(16).toString('hex');
  const path = join(folder, purpose.file);
  const made = `${path}.new-${ownerTag()}-${nonce}`;
  const text = Buffer.from(`${JSON.stringify(thisHolder(nonce))}\n`);
  try {
    await writeNewFile(made, text);
  } catch (error) {
    // Where nobody can write, nobody needs to be kept from it.
    if (systemErrorCode(error) === 'EROFS') return { release: async () => Promise.resolve() };
    throw error;
  }
  try {
    await takePatiently({ made, text, purpose }, path, signal);
  } finally {
    // What cannot be cleared up now, the next one can that takes the lock.
    const removeMade = async (): Promise<void> => unlinkIfThere(made);
    await removeMade()
      .catch(removeMade)
      .catch(() => undefined);
  }
  await removeLeftovers(folder, purpose).catch(() => undefined);
  const release = async (): Promise<void> => {
    // Somebody may have removed it by hand, and another have taken it since.
    if ((await holderOf(path, purpose))?.nonce === nonce) await unlinkIfThere(path);
  };
  // A lock that stays counts as left behind only once this process has ended.
  return { release: async () => release().catch(release) };
}

/** Removes what a thread of this process has left of a lock when it died. */
export async function clearThreadLock(
  folder: string,
  purpose: LockPurpose,
  thread: number,
): Promise<void> {
  const tag = ownerTag(thread);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(purpose.file)) continue;
    const path = join(folder, name);
    const owner = NEW_LOCK.exec(name.slice(purpose.file.length))?.groups?.['owner'];
    const holder = owner === undefined ? await holderOf(path, purpose) : undefined;
    if (owner === tag || (holder && isHeldByThread(holder, thread))) await unlinkIfThere(path);
  }
}

/** Removes the lock of a process that is known to be gone, where nobody needs to take it any more. */
export async function clearDeadLock(folder: string, purpose: LockPurpose): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (!names.some((name) => name.startsWith(purpose.file))) return;
  // It is no matter where that cannot be done now.
  const lock = await lockFolder(folder, { ...purpose, patienceMs: 0 }).catch(() => undefined);
  await lock?.release().catch(() => undefined);
}

/** A lock whose holder is known, and not known to be gone. */
class HeldError extends InputError {}

/** A lock that waits for its name. */
interface NewLock {
  /** Where it is. */
  readonly made: string;
  readonly text: Uint8Array;
  readonly purpose: LockPurpose;
}

/** Asks again and again for as long as the purpose has patience. */
async function takePatiently(
  lock: NewLock,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  let patienceMs = lock.purpose.patienceMs;
  for (;;) {
    try {
      await take(lock, path);
      return;
    } catch (error) {
      if (!(error instanceof InputError) || error.code !== 'locked') throw error;
      if (!(error instanceof HeldError)) patienceMs = Math.min(patienceMs, UNREADABLE_PATIENCE_MS);
      if (patienceMs <= 0) throw error;
    }
    // Those that wait for one lock do not ask in step.
    const pauseMs = randomInt(LONGEST_PAUSE_MS / 2, LONGEST_PAUSE_MS);
    patienceMs -= pauseMs;
    await setTimeout(pauseMs, undefined, signal && { signal }).catch(() => {
      signal?.throwIfAborted();
    });
  }
}

/**
 * Gives a new lock its name. Where a dead process's lock has it, only whoever holds the claim named
 * after that very lock may take it away: of two that find it at once, the slower one would else take
 * away the lock of the faster. A claim is a lock itself, and its holder can die as well.
 */
async function take(lock: NewLock, path: string): Promise<void> {
  const { purpose } = lock;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    if (await placeIfFree(lock, path)) return;
    const holder = await holderOf(path, purpose);
    if (holder === undefined) continue;
    if (!isHolderGone(holder)) throw await heldError(path, holder, purpose);
    const claim = join(path, '..', `${purpose.file}.${holder.nonce}`);
    await take(lock, claim);
    try {
      if ((await holderOf(path, purpose))?.nonce === holder.nonce) await unlinkIfThere(path);
    } finally {
      await unlinkIfThere(claim);
    }
  }
  throw new InputError('locked', `${printable(path)} changes hands all the time; try again later`);
}

async function placeIfFree({ made, text }: NewLock, path: string): Promise<boolean> {
  try {
    await link(made, path);
    return true;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'EEXIST') return false;
    if (!lacksLinks(error)) throw machineError('create', path, error);
    return createIfFree(path, text);
  }
}

/** Where there are no second names, a lock is without its text for an instant. */
async function createIfFree(path: string, text: Uint8Array): Promise<boolean> {
  try {
    await writeNewFile(path, text);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** Who holds a lock; `undefined` where it has just been released. */
async function holderOf(path: string, purpose: LockPurpose): Promise<LockHolder | undefined> {
  try {
    const entry = await lstat(path);
    if (!entry.isFile()) throw foreignError(path, purpose);
    const bytes = readFileBytes(path, MOST_LOCK_BYTES);
    const holder = parseHolder(parseStrictJson(bytes, { place: path, maxBytes: MOST_LOCK_BYTES }));
    if (holder === undefined) throw foreignError(path, purpose);
    return holder;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    if (!(error instanceof InputError)) throw machineError('read', path, error);
    if (error.code === 'not-found') return undefined;
    throw error.code === 'bad-json' ? foreignError(path, purpose) : error;
  }
}

function foreignError(path: string, { work }: LockPurpose): InputError {
  const message = `${printable(path)} is no lock that gen-block has made; remove it once you are sure that no other process ${work}`;
  return new InputError('locked', message);
}

async function heldError(
  path: string,
  { pid, host }: LockHolder,
  { work }: LockPurpose,
): Promise<HeldError> {
  const since = await lstat(path).then(
    ({ mtime }) => ` since ${mtime.toISOString()}`,
    () => '',
  );
  const message = `another process ${work}: process ${pid} on ${printable(host, 80)} has held ${printable(path)}${since}; wait for it, or remove the lock once you are sure that it is gone`;
  return new HeldError('locked', message);
}

/** What processes that were killed in the middle of taking the lock have left. */
async function removeLeftovers(folder: string, purpose: LockPurpose): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw machineError('read', folder, error);
  });
  for (const name of names) {
    if (!name.startsWith(purpose.file)) continue;
    const path = join(folder, name);
    const suffix = name.slice(purpose.file.length);
    const owner = NEW_LOCK.exec(suffix)?.groups?.['owner'];
    if (owner !== undefined && isOwnerGone(owner)) await unlinkIfThere(path);
    if (!CLAIM.test(suffix)) continue;
    const holder = await holderOf(path, purpose).catch(() => undefined);
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
