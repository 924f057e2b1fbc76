import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ByteFeed } from '../core/byte-feed.js';
import { machineError, printable } from '../core/errors.js';
import { openRegularFile } from '../core/open-regular-file.js';
import { CHUNK_TICKETS } from '../core/ticket-chunk.js';
import type { ManifestFile } from '../formats/manifest.js';
import type { RecordEncoder } from '../formats/record-encoder.js';
import { ticketsBytes } from '../formats/tickets-bytes.js';
import { contentFault } from '../verify/content-fault.js';
import type { FindingLog } from '../verify/finding.js';
import { ChunkDrawer } from './chunk-drawer.js';
import type { PlannedBlock } from './plan-block.js';
import { makeEncoder } from './make-encoder.js';

const LINE_FEED = 10;

/** The most of a record that a finding shows. */
const MOST_SHOWN = 400;

/**
 * Makes a block's tickets again and compares them with a file, byte for byte, up to the first
 * difference, which it logs.
 *
 * @param folder - The folder of the file.
 * @throws InputError `not-found` where there is no regular file any more; MachineError where it cannot be read; the signal's reason when it is aborted.
 */
export async function compareWithSeed(
  folder: string,
  file: Omit<ManifestFile, 'bytes' | 'records' | 'sha256'>,
  planned: PlannedBlock,
  options: {
    readonly log: FindingLog;
    readonly identities?: readonly string[] | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<void> {
  const path = join(folder, file.name);
  const handle = await openRegularFile(path);
  try {
    const feed = new ByteFeed(ticketsBytes(handle, file, options.identities));
    const comparison = new Comparison(feed, file.name, options.log);
    await compareAll(comparison, makeEncoder(file.format, planned), planned, options.signal);
    await feed.close();
  } catch (error) {
    const fault = contentFault(error);
    if (fault === undefined) throw machineError('read', path, error);
    options.log.add({ ...fault, place: { file: file.name } });
  } finally {
    await handle.close();
  }
}

async function compareAll(
  comparison: Comparison,
  encoder: RecordEncoder,
  planned: PlannedBlock,
  signal: AbortSignal | undefined,
): Promise<void> {
  const drawer = new ChunkDrawer(planned);
  const buffer = new Uint8Array(encoder.bufferBytes);
  let isSame = await comparison.next(encoder.header, 0);
  for (let index = 0; isSame && index < drawer.chunkCount; index += 1) {
    const length = encoder.encode(drawer.draw(index), buffer);
    isSame = await comparison.next(buffer.subarray(0, length), index * CHUNK_TICKETS + 1);
    await setImmediate();
    signal?.throwIfAborted();
  }
  if (isSame) await comparison.end();
}

/** A file that is compared piece by piece, from its beginning. */
class Comparison {
  readonly #feed: ByteFeed;
  readonly #name: string;
  readonly #log: FindingLog;
  #position = 0;
  #line = 1;

  constructor(feed: ByteFeed, name: string, log: FindingLog) {
    this.#feed = feed;
    this.#name = name;
    this.#log = log;
  }

  /**
   * Compares the next bytes of the file.
   *
   * @param firstTicket - The number of the ticket that they begin with; 0 for a header.
   * @returns Whether they are the expected ones; if not, a finding says where they differ.
   */
  async next(expected: Uint8Array, firstTicket: number): Promise<boolean> {
    const found = await this.#feed.take(expected.length);
    if (Buffer.compare(found, expected) === 0) {
      this.#position += expected.length;
      this.#line += countLines(expected, expected.length);
      return true;
    }
    let at = 0;
    while (at < found.length && found[at] === expected[at]) at += 1;
    const lines = countLines(expected, at);
    const start = expected.lastIndexOf(LINE_FEED, at - 1) + 1;
    const ticket = firstTicket === 0 ? {} : { ticket: firstTicket + lines };
    this.#log.add({
      code: 'seed-bytes',
      place: {
        file: this.#name,
        line: this.#line + lines,
        byteOffset: this.#position + at,
        ...ticket,
      },
      expected: recordAt(expected, start),
      found: recordAt(Buffer.concat([found, await this.#feed.take(MOST_SHOWN)]), start),
    });
    return false;
  }

  /** The file must end where the block ends. */
  async end(): Promise<void> {
    const rest = await this.#feed.take(MOST_SHOWN);
    if (rest.length === 0) return;
    this.#log.add({
      code: 'seed-bytes',
      place: { file: this.#name, line: this.#line, byteOffset: this.#position },
      expected: 'the end of the file',
      found: recordAt(rest, 0),
    });
  }
}

function countLines(bytes: Uint8Array, end: number): number {
  let lines = 0;
  for (
    let at = bytes.indexOf(LINE_FEED);
    at >= 0 && at < end;
    at = bytes.indexOf(LINE_FEED, at + 1)
  ) {
    lines += 1;
  }
  return lines;
}

function recordAt(bytes: Uint8Array, start: number): string {
  const lineEnd = bytes.indexOf(LINE_FEED, start);
  const end = Math.min(lineEnd < 0 ? bytes.length : lineEnd, start + MOST_SHOWN);
  if (start >= end) return lineEnd < 0 ? 'the end of the file' : 'an empty line';
  return printable(Buffer.from(bytes.subarray(start, end)).toString('utf8'), MOST_SHOWN);
}
