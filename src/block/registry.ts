import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ALGORITHM_VERSION } from '../core/algorithm.js';
import { defined } from '../core/assert.js';
import {
  InputError,
  MachineError,
  machineError,
  printable,
  systemErrorCode,
} from '../core/errors.js';
import { readFileBytes } from '../core/read-json-file.js';
import { parseStrictJson } from '../core/strict-json.js';
import { seedCommitment, seedKey } from '../engine/stream-key.js';
import { manifestClaims } from '../formats/manifest-reader.js';
import { MANIFEST_FILE } from '../formats/manifest.js';
import { readRegistry, type StoredRegistry } from '../formats/read-registry.js';
import {
  contentDifference,
  contentOf,
  identityDifference,
  lastEntryOf,
  MOST_REGISTRY_BYTES,
  nextEntry,
  parseRegistry,
  REGISTRY_FILE,
  registeredBlock,
  type RegisteredBlock,
  type RegistryEvent,
  type RegistryIdentity,
} from '../formats/registry.js';
import { kindOfEntry, syncFolder } from './block-folder.js';
import { clearDeadLock, lockFolder, REGISTRY_LOCK } from './folder-lock.js';
import { writeAll } from './new-file.js';
import type { BlockRequest } from './plan-block.js';

const OWNER_ONLY = 0o600;

/** Never through a link, and never anywhere but at the end. */
const APPEND_FLAGS =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/** How an entry is made. */
interface EntryOptions {
  readonly event: Exclude<RegistryEvent, 'replaced'>;
  /** The new block may take the place of other content, which stays on record. */
  readonly mayReplace?: boolean;
}

/** What a registry is written with. */
export interface RegistryOptions {
  /** The machine's clock; without it, entries have no time. */
  readonly time?: Date | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The registry of an output folder, while nobody else can write it. */
export interface OpenRegistry {
  /**
   * Makes sure that a block's last entry is the one of this content. The entry is on the disk when this
   * returns, so that no block can stand under its name without one.
   *
   * @throws InputError `registered` where the block has been registered with other content.
   */
  readonly enter: (block: RegisteredBlock, options: EntryOptions) => Promise<void>;
}

/**
 * Opens the registry of an output folder for as long as some work takes; others wait.
 *
 * @throws InputError `bad-registry` where its chain is broken, `locked`; MachineError.
 */
export async function withRegistry<T>(
  folder: string,
  { time, signal }: RegistryOptions,
  work: (registry: OpenRegistry) => Promise<T>,
): Promise<T> {
  const lock = await lockFolder(folder, REGISTRY_LOCK, signal);
  try {
    return await work({
      enter: async (block, options) => enter(folder, block, { ...options, time }),
    });
  } finally {
    await lock.release().catch(() => undefined);
  }
}

/**
 * Says before the work what the registry would say after it.
 *
 * @param asked - What the block is to be made from; left out where it may replace other content.
 * @throws InputError `registered` where a block has been registered with another definition, engine, seed
 * or algorithm; `bad-registry`; MachineError.
 */
export function checkRegistry(folder: string, name: string, asked?: RegistryIdentity): void {
  const registry = soundRegistry(folder);
  const last = lastEntryOf(registry, name);
  const difference = asked && last && identityDifference(last, asked);
  if (last && difference !== undefined) {
    refuse(registry.path, name, last.number, `made from ${difference}`);
  }
}

/**
 * Makes sure that a block that stands in an output folder, and has been verified, is registered there.
 *
 * @throws InputError `registered` where the registry knows it with other content; `bad-registry`,
 * `locked`; MachineError.
 */
export async function adoptBlock(folder: string, options: RegistryOptions): Promise<void> {
  const block = blockInFolder(folder);
  const parent = dirname(folder);
  // Nothing is written where nothing is new, so that a folder may be closed to writing.
  const last = lastEntryOf(soundRegistry(parent), block.name);
  if (last?.manifest_sha256 === block.manifest_sha256) {
    await clearDeadLock(parent, REGISTRY_LOCK);
    return;
  }
  await withRegistry(parent, options, async (registry) =>
    registry.enter(block, { event: 'adopted' }),
  );
}

/** What decides the tickets of a block that is asked for. */
export function requestedIdentity({
  game,
  engine,
  seed,
}: Pick<BlockRequest, 'game' | 'engine' | 'seed'>): RegistryIdentity {
  return identityOf({ game, engine }, seedCommitment(seedKey(seed)));
}

/** The same, where only the commitment to the seed is known. */
export function identityOf(
  { game, engine }: Pick<BlockRequest, 'game' | 'engine'>,
  commitment: string,
): RegistryIdentity {
  return {
    algorithm: ALGORITHM_VERSION,
    definition_sha256: game.definitionSha256,
    engine,
    seed_commitment: commitment,
  };
}

/** The block that lies in a folder, as its registry knows it; it must have been verified. */
export function blockInFolder(folder: string): RegisteredBlock {
  const path = join(folder, MANIFEST_FILE);
  const bytes = readFileBytes(path);
  const claims = manifestClaims(parseStrictJson(bytes, { place: path }));
  return registeredBlock(defined(claims, 'the claims of a verified manifest'), bytes);
}

/** A registry whose chain holds; an empty one where there is none. */
function soundRegistry(folder: string): StoredRegistry {
  const path = join(folder, REGISTRY_FILE);
  const registry = readRegistry(folder) ?? {
    ...parseRegistry(new Uint8Array()),
    ...{ path, storedBytes: 0 },
  };
  const { fault } = registry;
  if (fault === undefined) return registry;
  const message = `${printable(path)}:${fault.line}: expected ${fault.expected}; found ${fault.found}; somebody has changed it: restore it from a copy`;
  throw new InputError('bad-registry', message, { place: path });
}

async function enter(
  folder: string,
  block: RegisteredBlock,
  { event, mayReplace = false, time }: EntryOptions & Pick<RegistryOptions, 'time'>,
): Promise<void> {
  const registry = soundRegistry(folder);
  const last = contentOf(registry, block.name);
  const difference = last && contentDifference(last, block);
  if (last && difference !== undefined && !mayReplace) {
    refuse(registry.path, block.name, last.number, difference);
  }
  const standing = await standingManifest(join(folder, block.name));
  const isOther = standing.isThere && standing.sha256 !== block.manifest_sha256;
  const isReplaced = difference !== undefined || (isOther && mayReplace);
  if (!isReplaced && last?.manifest_sha256 === block.manifest_sha256) return;
  const { line } = nextEntry(registry, {
    ...block,
    event: isReplaced ? 'replaced' : event,
    ...(time !== undefined && { time: secondsText(time) }),
    ...(isReplaced && {
      replaced: { number: last?.number ?? null, manifest_sha256: standing.sha256 },
    }),
  });
  await append(registry, line);
}

function secondsText(time: Date): string {
  return `${time.toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}Z`;
}

function refuse(path: string, name: string, number: number, difference: string): never {
  const message = `${printable(path)} knows ${name} already (entry ${number}), and it was ${difference}; give another block number, or use generate --force, which stays on record`;
  throw new InputError('registered', message, { place: path });
}

/** The manifest that lies under a block's name now, whatever it is worth. */
async function standingManifest(
  folder: string,
): Promise<{ readonly isThere: boolean; readonly sha256: string | null }> {
  if ((await kindOfEntry(folder)) === 'nothing') return { isThere: false, sha256: null };
  try {
    const bytes = readFileBytes(join(folder, MANIFEST_FILE));
    return { isThere: true, sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    if (error instanceof InputError) return { isThere: true, sha256: null };
    throw error;
  }
}

async function append(registry: StoredRegistry, line: Uint8Array): Promise<void> {
  const { path, wholeBytes, storedBytes } = registry;
  if (wholeBytes + line.length > MOST_REGISTRY_BYTES) {
    const message = `${printable(path)} is full; choose another --out, which begins a registry of its own`;
    throw new InputError('bad-registry', message, { place: path });
  }
  try {
    const handle = await open(path, APPEND_FLAGS, OWNER_ONLY);
    try {
      // What a run that was killed has left of a line was never confirmed.
      if (storedBytes > wholeBytes) await cutTornLine(handle, path, wholeBytes);
      await writeLine(handle, line, wholeBytes);
      if (wholeBytes === 0) await syncFolder(dirname(path));
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw machineError('write', path, error);
  }
}

async function cutTornLine(handle: FileHandle, path: string, wholeBytes: number): Promise<void> {
  try {
    await handle.truncate(wholeBytes);
  } catch (error) {
    if (systemErrorCode(error) !== 'EPERM') throw error;
    const message = `${printable(path)} ends with half a line, and may only be added to; allow it to be changed (chattr -a), run the same command again, and forbid it again`;
    throw new MachineError(message, { code: 'EPERM', cause: error });
  }
}

async function writeLine(handle: FileHandle, line: Uint8Array, end: number): Promise<void> {
  try {
    await writeAll(handle, line, end);
    await handle.sync();
  } catch (error) {
    // Half a line would be taken away by the next run; whole, it might be taken for confirmed.
    await handle.truncate(end).catch(() => undefined);
    throw error;
  }
}
