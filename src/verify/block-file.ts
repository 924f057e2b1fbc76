import { join } from 'node:path';
import { defined } from '../core/assert.js';
import { InputError, machineError, printable } from '../core/errors.js';
import type { Game, Stake } from '../definitions/game.js';
import { findStake } from '../definitions/load-game.js';
import { manifestBlockName, type ManifestFile } from '../formats/manifest.js';
import { readRecords } from '../formats/read-records.js';
import { RecordError, type ReadTicket } from '../formats/record-feed.js';
import type { TicketFormat } from '../formats/ticket-formats.js';
import { closedBlock, contentFault } from './content-fault.js';
import { FindingLog } from './finding.js';
import { readManifest, shippedGame, type ParsedManifest } from './read-manifest.js';
import type { Watch } from './read-tickets-file.js';

/** What to do about a block whose files cannot be used. */
export const VERIFY_HINT = 'gen-block verify says what is wrong with the block';

/** Takes the tickets of a file, one by one. */
interface TicketTaker extends Watch {
  readonly onTicket: (ticket: ReadTicket) => void;
  /** Waited for after each piece of the file. */
  readonly onPiece?: (() => Promise<void>) | undefined;
}

/** One of the tickets files of a block on the disk. */
export interface BlockFile {
  readonly game: Game;
  readonly stake: Stake;
  /** What the block is called. */
  readonly name: string;
  readonly manifest: ParsedManifest;
  readonly file: ManifestFile;
  /**
   * Hands over every ticket in the order of the file, whose bytes must be those of the manifest: this
   * is known once the last one has been read.
   *
   * @throws InputError `not-a-block` where they are others; MachineError; what the taker throws.
   */
  everyTicket(taker: TicketTaker): Promise<void>;
}

/** How a tickets file of a block is opened. */
export interface OpenBlockOptions {
  /** The game of a block that was made from a definition of the user's own. */
  readonly game?: Game | undefined;
  /** The manifest, where it has been read already. */
  readonly manifest?: ParsedManifest | undefined;
  /** The format to read where the block has it; the first one where this is left out. */
  readonly format?: TicketFormat;
  /** What the file is opened with, where it is encrypted. */
  readonly identities?: readonly string[] | undefined;
}

/**
 * Opens a tickets file of a block; whether its bytes are right is for a verification to tell.
 *
 * @param path - The block's folder, or its `manifest.json`.
 * @throws InputError `bad-manifest`, `definition-needed`, `identity-needed`, `not-a-block`; MachineError.
 */
export async function openBlockFile(
  path: string,
  options: OpenBlockOptions = {},
): Promise<BlockFile> {
  const log = new FindingLog();
  const manifest = options.manifest ?? (await readManifest(path, log));
  if (manifest === undefined) {
    const why = log.examples[0]?.found ?? 'it cannot be used';
    const message = `${printable(path)}: ${why}; gen-block verify says all that is wrong with the manifest`;
    throw new InputError('bad-manifest', message);
  }
  const { claims, folder } = manifest;
  const game = options.game ?? shippedGame(claims);
  if (game.id !== claims.game || game.definitionSha256 !== claims.definition_sha256) {
    const message = `${printable(path)} was made from another definition than that of ${game.name}; give its own with --definition`;
    throw new InputError('definition-needed', message);
  }
  const stake = findStake(game, claims.stake_cents);
  const first = defined(claims.files[0], 'a manifest names a file');
  const file = claims.files.find(({ format }) => format === options.format) ?? first;
  const { identities } = options;
  if (file.encryption !== undefined && (identities ?? []).length === 0) throw closedBlock(path);
  return {
    game,
    stake,
    name: manifestBlockName(claims),
    manifest,
    file,
    everyTicket: (taker) =>
      readFile({ path: join(folder, file.name), file, game, identities }, taker),
  };
}

/** Reads all tickets of a file, and makes sure that its bytes are those of the manifest. */
async function readFile(
  source: Pick<BlockFile, 'file' | 'game'> &
    Pick<OpenBlockOptions, 'identities'> & { readonly path: string },
  taker: TicketTaker,
): Promise<void> {
  const { path, file, game, identities } = source;
  const read = await readRecords({ ...file, path, grid: game.grid, identities, ...taker }).catch(
    (error: unknown) => {
      // Whoever stops it may give a reason that looks like a fault of the disk.
      taker.signal?.throwIfAborted();
      const fault = contentFault(error);
      if (fault?.code === 'file-encrypted') throw closedBlock(path);
      if (fault === undefined) throw machineError('read', path, error);
      throw new InputError('not-a-block', `${printable(path)}: ${fault.found}; ${VERIFY_HINT}`);
    },
  );
  if (read.sha256 !== file.sha256) {
    const message = `${printable(path)} is not the file of the manifest: its SHA-256 is another; ${VERIFY_HINT}`;
    throw new InputError('not-a-block', message);
  }
  const { failure } = read;
  taker.signal?.throwIfAborted();
  if (failure instanceof RecordError) {
    throw new InputError('not-a-block', `${printable(path)}: ${failure.message}; ${VERIFY_HINT}`);
  }
  if (failure instanceof Error) throw failure;
}
