import { InputError, machineError, printable } from '../../core/errors.js';
import type { Game, Stake } from '../../definitions/game.js';
import type { ManifestFile } from '../../formats/manifest.js';
import { readRecords, type ReadFile } from '../../formats/read-records.js';
import type { ReadTicket } from '../../formats/record-feed.js';
import { contentFault } from '../content-fault.js';
import type { Watch } from '../read-tickets-file.js';
import type { Observations, SymbolAudit } from './observations.js';
import { TicketsObserver } from './tickets-observer.js';

/** A tickets file that has been verified, and what it is a file of. */
export interface VerifiedFile {
  readonly path: string;
  readonly file: ManifestFile;
  readonly game: Game;
  readonly stake: Stake;
  readonly audit: SymbolAudit;
  /** What it is opened with, where it is encrypted. */
  readonly identities?: readonly string[] | undefined;
}

/**
 * Reads the tickets of a verified file once more, and counts what the tests need.
 *
 * @throws InputError `not-a-block` where its bytes are not those that were verified; MachineError
 * where it cannot be read.
 */
export async function observeFile(verified: VerifiedFile, watch: Watch): Promise<Observations> {
  const observer = new TicketsObserver(verified);
  const { sha256, failure } = await read(verified, (ticket) => observer.take(ticket), watch);
  // Whatever could not be taken does not count where the bytes are other ones than were verified.
  if (sha256 !== verified.file.sha256) throw changedFile(verified.path);
  if (failure instanceof Error) throw failure;
  return observer.finish();
}

async function read(
  { path, file, game, identities }: VerifiedFile,
  onTicket: (ticket: ReadTicket) => void,
  watch: Watch,
): Promise<ReadFile> {
  try {
    return await readRecords({ ...file, ...watch, path, grid: game.grid, identities, onTicket });
  } catch (error) {
    if (contentFault(error) !== undefined) throw changedFile(path);
    throw machineError('read', path, error);
  }
}

function changedFile(path: string): InputError {
  const message = `${printable(path)} was changed after it had been verified; audit it again when nothing writes to it`;
  return new InputError('not-a-block', message);
}
