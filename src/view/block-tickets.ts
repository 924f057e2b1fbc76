import { InputError, printable } from '../core/errors.js';
import type { Game, Stake } from '../definitions/game.js';
import { ticketRecord, type TicketRecord } from '../formats/ticket-record.js';
import { openBlockFile, VERIFY_HINT } from '../verify/block-file.js';

/**
 * Where tickets are taken from, one by one.
 *
 * @group Tickets
 */
export interface TicketSource {
  /** What decides the rules. */
  readonly game: Game;
  /** What is sold at its price. */
  readonly stake: Stake;
  /** What the block is called. */
  readonly name: string;
  /** By ticket, from number 1: its prize in cents. */
  prizes(): Promise<ArrayLike<number>>;
  /** The records of tickets that the block has, in the order in which they are asked for. */
  records(tickets: readonly number[]): Promise<readonly TicketRecord[]>;
}

/**
 * The tickets of a block on the disk.
 *
 * @group Tickets
 */
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
 * @param identities - What the file is opened with, where it is encrypted.
 * @returns Its tickets by number. {@link readTickets} goes through them in order.
 * @throws InputError `bad-manifest`, `definition-needed`, `identity-needed`, `not-a-block` where the files are not those
 * of the manifest; MachineError.
 * @group Tickets
 */
export async function openBlockTickets(
  path: string,
  ownGame?: Game,
  identities?: readonly string[],
): Promise<BlockTickets> {
  const block = await openBlockFile(path, { game: ownGame, identities });
  const { game } = block;
  return {
    game,
    stake: block.stake,
    sha256: block.file.sha256,
    name: block.name,
    async prizes() {
      const prizes: number[] = [];
      await block.everyTicket({
        onTicket: ({ record }) => {
          const inOrder = prizes.push(record.prizeCents);
          if (record.ticket === inOrder) return;
          const message = `${printable(path)}: its tickets are not in order; ${VERIFY_HINT}`;
          throw new InputError('not-a-block', message);
        },
      });
      return prizes;
    },
    everyRecord: (onRecord, onPiece) =>
      block.everyTicket({
        onTicket: (ticket) => {
          const record = ticketRecord(ticket, game.grid);
          onRecord(usableRecord(record, { path, number: record.ticket }));
        },
        onPiece,
      }),
    async records(tickets) {
      const wanted = new Set(tickets);
      const found = new Map<number, TicketRecord>();
      await block.everyTicket({
        onTicket: (ticket) => {
          const number = ticket.record.ticket;
          if (wanted.has(number)) found.set(number, ticketRecord(ticket, game.grid));
        },
      });
      return tickets.map((number) => usableRecord(found.get(number), { path, number }));
    },
  };
}

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
