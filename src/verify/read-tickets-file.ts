import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { InputError, machineError, printable, systemErrorCode } from '../core/errors.js';
import {
  TicketsVerifier,
  type TicketsCount,
  type TicketsVerifierInput,
} from './tickets-verifier.js';

const BUFFER_BYTES = 524_288;

/** How a long job is watched and stopped from outside. */
export interface Watch {
  /** Called with the bytes done since the last call. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What was counted in a tickets file, and the hash of its bytes. */
export interface FileCount extends TicketsCount {
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * Judges a tickets file from the disk, from its first byte to its last.
 *
 * @throws InputError `not-found` where there is no regular file (symbolic links are not followed);
 * MachineError where it cannot be read.
 */
export async function readTicketsFile(
  path: string,
  input: TicketsVerifierInput,
  watch: Watch = {},
): Promise<FileCount> {
  const handle = await openRegularFile(path);
  try {
    const verifier = new TicketsVerifier(input);
    const hash = createHash('sha256');
    for await (const bytes of readAhead(handle)) {
      watch.signal?.throwIfAborted();
      hash.update(bytes);
      await verifier.push(bytes);
      watch.onBytes?.(bytes.length);
    }
    return { ...(await verifier.end()), sha256: hash.digest('hex') };
  } catch (error) {
    throw machineError('read', path, error);
  } finally {
    await handle.close();
  }
}

/** The file's bytes; the next piece is being read while one is in use. */
async function* readAhead(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const buffers = [new Uint8Array(BUFFER_BYTES), new Uint8Array(BUFFER_BYTES)];
  const readNext = async (): Promise<Uint8Array> => {
    const buffer = buffers.reverse()[0] ?? new Uint8Array(BUFFER_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length);
    return buffer.subarray(0, bytesRead);
  };
  let next = readNext();
  for (;;) {
    const bytes = await next;
    if (bytes.length === 0) return;
    next = readNext();
    // A failure shows when it is awaited; until then it must not count as unhandled.
    next.catch(() => undefined);
    yield bytes;
  }
}

async function openRegularFile(path: string): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    handle = await open(path, flags);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ELOOP') throw notRegular(path);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw machineError('read', path, error);
    throw new InputError('not-found', `there is no file ${printable(path)}; check the path`);
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw notRegular(path);
}

/** A link is none either: what it leads to could be exchanged once it has been verified. */
function notRegular(path: string): InputError {
  const message = `${printable(path)} is not a regular file; name the file itself`;
  return new InputError('not-found', message);
}
