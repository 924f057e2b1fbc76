import { createHash } from 'node:crypto';
import { InputError, machineError, printable } from '../../core/errors.js';
import { openRegularFile } from '../../core/open-regular-file.js';
import type { Game, Stake } from '../../definitions/game.js';
import { GzipError } from '../../formats/gunzip.js';
import type { ManifestFile } from '../../formats/manifest.js';
import { ticketsBytes } from '../../formats/tickets-bytes.js';
import type { Watch } from '../read-tickets-file.js';
import type { Observations, SymbolAudit } from './observations.js';
import { RecordFeed } from './record-feed.js';
import { TicketsObserver } from './tickets-observer.js';

/** A tickets file that has been verified, and what it is a file of. */
export interface VerifiedFile {
  readonly path: string;
  readonly file: ManifestFile;
  readonly game: Game;
  readonly stake: Stake;
  readonly audit: SymbolAudit;
}

/**
 * Reads the tickets of a verified file once more, and counts what the tests need.
 *
 * @throws InputError `not-a-block` where its bytes are not those that were verified; MachineError
 * where it cannot be read.
 */
export async function observeFile(verified: VerifiedFile, watch: Watch): Promise<Observations> {
  const { path, file, game } = verified;
  const observer = new TicketsObserver(verified);
  const feed = new RecordFeed({
    format: file.format,
    grid: game.grid,
    onTicket: (ticket) => observer.take(ticket),
  });
  const failure = new FirstFailure();
  let sha256: string;
  try {
    sha256 = await readBytes(verified, (bytes) => failure.watch(() => feed.push(bytes)), watch);
  } catch (error) {
    if (error instanceof GzipError) throw changedFile(path);
    throw machineError('read', path, error);
  }
  // Whatever could not be taken does not count where the bytes are other ones than were verified.
  if (sha256 !== file.sha256) throw changedFile(path);
  failure.watch(() => feed.end());
  failure.rethrow();
  return observer.finish();
}

/** Keeps the first error of several steps, and leaves out the steps after it. */
class FirstFailure {
  readonly #errors: unknown[] = [];

  watch(step: () => void): void {
    if (this.#errors.length > 0) return;
    try {
      step();
    } catch (error) {
      this.#errors.push(error);
    }
  }

  rethrow(): void {
    const [error] = this.#errors;
    if (error instanceof Error) throw error;
  }
}

/** Reads a file, no further than the bytes that were verified go. Returns their hash. */
async function readBytes(
  { path, file }: VerifiedFile,
  onBytes: (bytes: Uint8Array) => void,
  watch: Watch,
): Promise<string> {
  const handle = await openRegularFile(path);
  try {
    const hash = createHash('sha256');
    let done = 0;
    for await (const bytes of ticketsBytes(handle, file.compression)) {
      done += bytes.length;
      if (done > file.bytes) throw changedFile(path);
      hash.update(bytes);
      onBytes(bytes);
      watch.onBytes?.(bytes.length);
      watch.signal?.throwIfAborted();
    }
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}

function changedFile(path: string): InputError {
  const message = `${printable(path)} was changed after it had been verified; audit it again when nothing writes to it`;
  return new InputError('not-a-block', message);
}
