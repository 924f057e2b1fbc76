import { join } from 'node:path';
import { defined } from '../core/assert.js';
import { InputError, machineError, printable } from '../core/errors.js';
import type { Game, Stake } from '../definitions/game.js';
import { findStake } from '../definitions/load-game.js';
import { GzipError } from '../formats/gunzip.js';
import { blockName, type ManifestFile } from '../formats/manifest.js';
import { readRecords } from '../formats/read-records.js';
import { RecordError, type ReadTicket } from '../formats/record-feed.js';
import { ticketRecord, type TicketRecord } from '../formats/ticket-record.js';
import { FindingLog } from '../verify/finding.js';
import { readManifest, shippedGame } from '../verify/read-manifest.js';

/** Where tickets are taken from, one by one. */
export interface TicketSource {
  readonly game: Game;
  readonly stake: Stake;
  /** What the block is called. */
  readonly name: string;
  /** By ticket, from number 1: its prize in cents. */
  prizes(): Promise<ArrayLike<number>>;
  /** The records of tickets that the block has, in the order in which they are asked for. */
  records(tickets: readonly number[]): Promise<readonly TicketRecord[]>;
}

/** The tickets of a block on the disk. */
export interface BlockTickets extends TicketSource {
  /** SHA-256 of the uncompressed bytes that are read: of others, reading fails. */
  readonly sha256: string;
  /**
   * Hands over every record in the order of the block.
   *
   * @param onPiece - Waited for from time to time, and after the last record.
   */
  everyRecord(
    onRecord: (record: TicketRecord) => void,
    onPiece: () => Promise<void>,
  ): Promise<void>;
}

/**
 * The tickets of a block on the disk. Its first tickets file is read, which must be to the byte what
 * the manifest says; whether these bytes are right is for a verification to tell.
 *
 * @param path - The block's folder, or its `manifest.json`.
 * @param ownGame - The game of a block that was made from a definition of the user's own.
 * @throws InputError `bad-manifest`, `definition-needed`, `not-a-block` where the files are not those
 * of the manifest; MachineError.
 */
export async function openBlockTickets(path: string, ownGame?: Game): Promise<BlockTickets> {
  const log = new FindingLog();
  const manifest = await readManifest(path, log);
  if (manifest === undefined) {
    const why = log.examples[0]?.found ?? 'it cannot be used';
    const message = `${printable(path)}: ${why}; gen-block verify says all that is wrong with the manifest`;
    throw new InputError('bad-manifest', message);
  }
  const { claims, folder } = manifest;
  const game = ownGame ?? shippedGame(claims);
  if (game.id !== claims.game || game.definitionSha256 !== claims.definition_sha256) {
    const message = `${printable(path)} was made from another definition than that of ${game.name}; give its own with --definition`;
    throw new InputError('definition-needed', message);
  }
  const stake = findStake(game, claims.stake_cents);
  const file = defined(claims.files[0], 'a manifest names a file');
  const readAll = (
    onTicket: (ticket: ReadTicket) => void,
    onPiece?: () => Promise<void>,
  ): Promise<void> => readFile({ path: join(folder, file.name), file, game }, onTicket, onPiece);
  return {
    game,
    stake,
    sha256: file.sha256,
    name: blockName({
      gameId: game.id,
      stakeCents: stake.stakeCents,
      emission: claims.emission,
      block: claims.block,
    }),
    async prizes() {
      const prizes: number[] = [];
      await readAll(({ record }) => {
        const inOrder = prizes.push(record.prizeCents);
        if (record.ticket === inOrder) return;
        const message = `${printable(path)}: its tickets are not in order; ${VERIFY_HINT}`;
        throw new InputError('not-a-block', message);
      });
      return prizes;
    },
    everyRecord: (onRecord, onPiece) =>
      readAll((ticket) => {
        const record = ticketRecord(ticket, game.grid);
        onRecord(usableRecord(record, { path, number: record.ticket }));
      }, onPiece),
    async records(tickets) {
      const wanted = new Set(tickets);
      const found = new Map<number, TicketRecord>();
      await readAll((ticket) => {
        const number = ticket.record.ticket;
        if (wanted.has(number)) found.set(number, ticketRecord(ticket, game.grid));
      });
      return tickets.map((number) => usableRecord(found.get(number), { path, number }));
    },
  };
}

const VERIFY_HINT = 'gen-block verify says what is wrong with the block';

/** Reading leaves the cells alone, in which a wrong file may have any bytes. */
function usableRecord(
  record: TicketRecord | undefined,
  { path, number }: { readonly path: string; readonly number: number },
): TicketRecord {
  if (record?.grids.flat().every((row) => /^[A-Z]+$/.test(row)) === true) return record;
  const why = record === undefined ? 'is missing' : 'has symbols that are no letters from A to Z';
  const message = `${printable(path)}: ticket ${number} ${why}; ${VERIFY_HINT}`;
  throw new InputError('not-a-block', message);
}

/** Reads all tickets of a file, and makes sure that its bytes are those of the manifest. */
async function readFile(
  source: { readonly path: string; readonly file: ManifestFile; readonly game: Game },
  onTicket: (ticket: ReadTicket) => void,
  onPiece: (() => Promise<void>) | undefined,
): Promise<void> {
  const { path, file, game } = source;
  const read = await readRecords({ ...file, path, grid: game.grid, onTicket, onPiece }).catch(
    (error: unknown) => {
      if (!(error instanceof GzipError)) throw machineError('read', path, error);
      throw new InputError('not-a-block', `${printable(path)}: ${error.message}; ${VERIFY_HINT}`);
    },
  );
  if (read.sha256 !== file.sha256) {
    const message = `${printable(path)} is not the file of the manifest: its SHA-256 is another; ${VERIFY_HINT}`;
    throw new InputError('not-a-block', message);
  }
  const { failure } = read;
  if (failure instanceof RecordError) {
    throw new InputError('not-a-block', `${printable(path)}: ${failure.message}; ${VERIFY_HINT}`);
  }
  if (failure instanceof Error) throw failure;
}
