import { createHash } from 'node:crypto';
import { openRegularFile } from '../core/open-regular-file.js';
import { RecordFeed, type ReadTicket } from './record-feed.js';
import type { TicketsFileForm } from './ticket-formats.js';
import { ticketsBytes } from './tickets-bytes.js';

/** A tickets file, and how it is to be read. */
export interface RecordsFile extends TicketsFileForm {
  readonly path: string;
  readonly grid: { readonly rows: number; readonly columns: number };
  /** What it is opened with, where it is encrypted. */
  readonly identities?: readonly string[] | undefined;
  /** The bytes that it is said to have, uncompressed: of a longer one no more are read. */
  readonly bytes: number;
  readonly onTicket: (ticket: ReadTicket) => void;
  /** Waited for after each piece of the file: what its tickets were made into can be written. */
  readonly onPiece?: (() => Promise<void>) | undefined;
  readonly onBytes?: ((count: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came of reading a file. */
export interface ReadFile {
  /** SHA-256 of its uncompressed bytes; `undefined` where it has more of them than it is said to. */
  readonly sha256: string | undefined;
  /**
   * What stopped the taking of tickets: a RecordError, or what `onTicket` threw. Whether it counts
   * is for the caller to say, who knows which bytes there should have been.
   */
  readonly failure: unknown;
}

/**
 * Reads the tickets of a file one by one, to its end.
 *
 * @throws what {@link ticketsBytes} throws.
 */
export async function readRecords(file: RecordsFile): Promise<ReadFile> {
  const feed = new RecordFeed(file);
  const taken = new FirstFailure();
  const handle = await openRegularFile(file.path);
  try {
    const hash = createHash('sha256');
    let done = 0;
    for await (const bytes of ticketsBytes(handle, file, file.identities)) {
      done += bytes.length;
      if (done > file.bytes) return { sha256: undefined, failure: taken.failure };
      hash.update(bytes);
      taken.watch(() => feed.push(bytes));
      file.onBytes?.(bytes.length);
      file.signal?.throwIfAborted();
      if (!taken.hasFailed) await file.onPiece?.();
    }
    taken.watch(() => feed.end());
    if (!taken.hasFailed) await file.onPiece?.();
    return { sha256: hash.digest('hex'), failure: taken.failure };
  } finally {
    await handle.close();
  }
}

/** Keeps the first error of several steps, and leaves out the steps after it. */
class FirstFailure {
  hasFailed = false;
  failure: unknown;

  watch(step: () => void): void {
    if (this.hasFailed) return;
    try {
      step();
    } catch (error) {
      this.hasFailed = true;
      this.failure = error;
    }
  }
}
