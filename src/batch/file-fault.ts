import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { ByteFeed } from '../core/byte-feed.js';
import { InputError, machineError } from '../core/errors.js';
import { openRegularFile } from '../core/open-regular-file.js';
import { takeAgeHeader } from '../formats/age-header.js';
import { payloadBytes } from '../formats/age-payload.js';
import type { ManifestFile } from '../formats/manifest.js';
import { storedBytes, ticketsBytes } from '../formats/tickets-bytes.js';
import { contentFault } from '../verify/content-fault.js';

/** How a tickets file is looked at. */
export interface FileLook {
  /** What it is opened with, where it is encrypted. Without any, only its size is looked at. */
  readonly identities?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What is wrong with a tickets file; `isClosed` where no identity opens it, which need not be wrong. */
export interface FileFault {
  readonly reason: string;
  readonly isClosed: boolean;
}

const CONTENT_FAULTS: ReadonlyMap<string, string> = new Map([
  ['file-compression', 'is not compressed as it should be'],
  ['file-encryption', 'is not encrypted as it should be'],
  ['file-encrypted', 'is not encrypted to any of the identities'],
]);

/** What is wrong with a tickets file by its size and its hash; `undefined` where nothing is. */
export async function fileFault(
  path: string,
  claim: ManifestFile,
  look: FileLook,
): Promise<FileFault | undefined> {
  let handle: FileHandle;
  try {
    handle = await openRegularFile(path);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { reason: 'is missing, or no regular file', isClosed: false };
  }
  try {
    const isUnopened = claim.encryption !== undefined && look.identities === undefined;
    const reason = await (isUnopened ? closedSizeFault : contentReason)(handle, claim, look);
    return reason === undefined ? undefined : { reason, isClosed: false };
  } catch (error) {
    const fault = contentFault(error);
    if (fault === undefined) throw machineError('read', path, error);
    const reason = CONTENT_FAULTS.get(fault.code) ?? fault.found;
    return { reason, isClosed: fault.code === 'file-encrypted' };
  } finally {
    await handle.close();
  }
}

async function contentReason(
  handle: FileHandle,
  claim: ManifestFile,
  { identities, signal }: FileLook,
): Promise<string | undefined> {
  const { bytes, sha256 } = claim;
  const { size: stored } = await handle.stat();
  const isPlain = claim.compression === undefined && claim.encryption === undefined;
  if (isPlain && stored !== bytes) return 'has another size';
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of ticketsBytes(handle, claim, identities)) {
    signal?.throwIfAborted();
    size += piece.length;
    // A few compressed bytes can stand for very many.
    if (size > bytes) return 'has another size';
    hash.update(piece);
  }
  if (size !== bytes) return 'has another size';
  return hash.digest('hex') === sha256 ? undefined : 'has another hash';
}

/** How long the content is can be told of a file that is not compressed, without its key. */
async function closedSizeFault(
  handle: FileHandle,
  { bytes, compression }: ManifestFile,
): Promise<string | undefined> {
  const { size } = await handle.stat();
  const feed = new ByteFeed(storedBytes(handle));
  try {
    const { length } = await takeAgeHeader(feed);
    const isRight = compression !== undefined || size === length + payloadBytes(bytes);
    return isRight ? undefined : 'has another size';
  } finally {
    await feed.close();
  }
}
