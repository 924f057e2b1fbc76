import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { machineError } from '../core/errors.js';
import { openRegularFile } from '../core/open-regular-file.js';
import { GzipError } from '../formats/gunzip.js';
import type { TicketsFileForm } from '../formats/ticket-formats.js';
import { ticketsBytes } from '../formats/tickets-bytes.js';
import { contentFault } from './content-fault.js';
import { FindingLog } from './finding.js';
import { SizeLimit } from './size-limit.js';
import {
  TicketsVerifier,
  type TicketsCount,
  type TicketsVerifierInput,
} from './tickets-verifier.js';

/**
 * How a long job is watched and stopped from outside.
 *
 * @group Verifying
 */
export interface Watch {
  /** Called with the bytes done since the last call, uncompressed. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Stops the work, which ends with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What was counted in a tickets file, and the hash of its bytes, all of it uncompressed. */
export interface FileCount extends TicketsCount {
  /** Lower-case hex. */
  readonly sha256: string;
}

/** What a tickets file is held against, and how its content is to be had. */
export interface TicketsFileInput extends TicketsVerifierInput, TicketsFileForm {
  /** What it is opened with, where it is encrypted. */
  readonly identities?: readonly string[] | undefined;
}

/**
 * Judges a tickets file from the disk, from its first byte to its last.
 *
 * @returns `undefined` where it is not compressed or encrypted as it should be, or no identity opens it,
 * which is a finding then: what could be read of it is not judged.
 * @throws InputError `bad-identity`, or `not-found` where there is no regular file (symbolic links are not followed);
 * MachineError where it cannot be read.
 */
export async function readTicketsFile(
  path: string,
  input: TicketsFileInput,
  watch: Watch = {},
): Promise<FileCount | undefined> {
  const handle = await openRegularFile(path);
  try {
    const isPlain = input.compression === undefined && input.encryption === undefined;
    return await (isPlain ? countFile : countContent)(handle, input, watch);
  } catch (error) {
    throw machineError('read', path, error);
  } finally {
    await handle.close();
  }
}

/** Findings out of damaged bytes would say nothing: they are kept only once the end has been seen. */
async function countContent(
  handle: FileHandle,
  input: TicketsFileInput,
  watch: Watch,
): Promise<FileCount | undefined> {
  const log = new FindingLog();
  const limit = input.compression === undefined ? undefined : new SizeLimit(input);
  try {
    const count = await countFile(handle, { ...input, log }, watch, limit);
    input.log.addAll(log);
    return count;
  } catch (error) {
    const fault = contentFault(error);
    if (fault === undefined) throw error;
    const expected = error instanceof LimitError && limit ? limit.words : fault.expected;
    input.log.add({ ...fault, place: { file: input.file }, expected });
    return undefined;
  }
}

/** A compressed file that is too long to be read to its end. */
class LimitError extends GzipError {}

async function countFile(
  handle: FileHandle,
  input: TicketsFileInput,
  watch: Watch,
  limit?: SizeLimit,
): Promise<FileCount> {
  const verifier = new TicketsVerifier(input);
  const hash = createHash('sha256');
  for await (const bytes of ticketsBytes(handle, input, input.identities)) {
    watch.signal?.throwIfAborted();
    if (limit?.admits(bytes) === false) throw new LimitError('more than that');
    hash.update(bytes);
    await verifier.push(bytes);
    watch.onBytes?.(bytes.length);
  }
  return { ...(await verifier.end()), sha256: hash.digest('hex') };
}
