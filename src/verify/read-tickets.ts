import { InputError, printable } from '../core/errors.js';
import type { Game } from '../definitions/game.js';
import type { ByteWindow } from '../formats/record-decoder.js';
import type { ReadTicket } from '../formats/record-feed.js';
import { TICKET_FORMATS, type TicketFormat } from '../formats/ticket-formats.js';
import type { TicketRecord } from '../formats/ticket-record.js';
import { openBlockFile, VERIFY_HINT, type BlockFile } from './block-file.js';
import { pullPieces } from './pull-pieces.js';
import type { Watch } from './read-tickets-file.js';
import { ticketRange, type TicketRange } from './ticket-range.js';

/**
 * Which tickets of a block on the disk are read, and how.
 *
 * @group Tickets
 */
export interface ReadTicketsOptions extends TicketRange, Watch {
  /** The game of a block that was made from a definition of the user's own. */
  readonly game?: Game | undefined;
  /** The format to read where the block has it; its first one where this is left out. */
  readonly format?: TicketFormat | undefined;
  /** What the file is opened with, where it is encrypted: age identities. */
  readonly identities?: readonly string[] | undefined;
}

/**
 * Reads the tickets of a block on the disk, in the order of the block, whichever of its files they are
 * read from: NDJSON or CSV, compressed, encrypted, or both.
 *
 * Reading goes with the taking: no more than one piece of the file is held, some thousand tickets. The
 * file is read to its end also where `to` comes sooner, because only then is it known to be the one that
 * the manifest names. What has come before an error, or before the taker leaves, is not known to be right:
 * take it into account only once the loop has come to its end. Leaving the loop closes the file.
 *
 * @param path - The block's folder, or its `manifest.json`.
 * @returns One iteration; each call has a file and a place of its own.
 * @throws InputError `bad-manifest`, `definition-needed`, `identity-needed`, `bad-identity`, `unknown-stake`, `not-found`,
 * `bad-number` where the block does not have the tickets of the range, `not-a-block` where the files are not
 * those of the manifest or the tickets are not all there in their order; MachineError; the signal's reason. All of them
 * come when a ticket is asked for.
 * @example
 * ```ts
 * import { loadDefinitionFile, readTickets } from 'gen-block';
 *
 * const game = loadDefinitionFile('my-game.json');
 * const folder = 'blocks/collect-bare-100-e1-b1';
 * for await (const { ticket, grids } of readTickets(folder, { game, format: 'csv', to: 2 })) {
 *   console.log(ticket, grids.length);
 * }
 * // → 1 3
 * // → 2 3
 * ```
 * @group Tickets
 */
export async function* readTickets(
  path: string,
  options: ReadTicketsOptions = {},
): AsyncGenerator<TicketRecord, void, undefined> {
  const { game, format, identities, signal, onBytes } = options;
  signal?.throwIfAborted();
  if (format !== undefined && !TICKET_FORMATS.includes(format)) {
    const message = `there is no format ${printable(format, 60)}; choose ${TICKET_FORMATS.join(' or ')}`;
    throw new InputError('usage', message, { place: 'format' });
  }
  const chosen = format === undefined ? {} : { format };
  const block = await openBlockFile(path, { game, identities, ...chosen });
  const range = ticketRange(options, block.game.blockSize);
  const taker = new TextTaker(path, block, range);
  const pieces = pullPieces<readonly TicketText[]>((put) =>
    block.everyTicket({
      ...{ signal, onBytes },
      onTicket: (ticket) => taker.add(ticket),
      onPiece: async () => put(taker.take()),
    }),
  );
  for await (const texts of pieces) {
    for (const text of texts) {
      signal?.throwIfAborted();
      yield recordOf(text, block.game.grid);
    }
  }
  taker.end();
}

/** Takes the tickets of a file, and sees to it that all are there, in order, and of letters. */
class TextTaker {
  readonly #path: string;
  readonly #block: BlockFile;
  readonly #first: number;
  readonly #last: number;
  #texts: TicketText[] = [];
  #count = 0;

  constructor(
    path: string,
    block: BlockFile,
    range: { readonly first: number; readonly last: number },
  ) {
    this.#path = path;
    this.#block = block;
    this.#first = range.first;
    this.#last = range.last;
  }

  add(ticket: ReadTicket): void {
    const number = ticket.record.ticket;
    this.#count += 1;
    if (number !== this.#count) throw this.#wrong('its tickets are not in order');
    if (number < this.#first || number > this.#last) return;
    if (!hasLettersOnly(ticket, this.#block.game.grid)) {
      throw this.#wrong(`ticket ${number} has symbols that are no letters from A to Z`);
    }
    this.#texts.push(textOf(ticket, this.#block.game.grid));
  }

  /** What has come since the last call. */
  take(): readonly TicketText[] {
    const texts = this.#texts;
    this.#texts = [];
    return texts;
  }

  /** Makes sure that the last ticket of the block has come. */
  end(): void {
    const { blockSize } = this.#block.game;
    if (this.#count === blockSize) return;
    const next = this.#count + 1;
    const why =
      next <= blockSize ? `ticket ${next} is missing` : `it has more than ${blockSize} tickets`;
    throw this.#wrong(why);
  }

  #wrong(why: string): InputError {
    const message = `${printable(this.#path)}: ${why}; ${VERIFY_HINT}`;
    return new InputError('not-a-block', message, { place: this.#path });
  }
}

type Grid = BlockFile['game']['grid'];

const UPPER_A = 65;
const UPPER_Z = 90;

/**
 * A ticket whose symbols are still in the text of its record. A piece of the file holds thousands of them, and few objects
 * each should wait for their turn.
 */
interface TicketText {
  readonly ticket: number;
  readonly prizeCents: number;
  readonly combination: string;
  /** From the first row of the first grid. */
  readonly text: string;
  readonly gridCount: number;
  /** Characters from a grid to the next one, and from a row to the next one: the format leaves no choice. */
  readonly gridStride: number;
  readonly rowStride: number;
}

function textOf({ window, record, end }: ReadTicket, { rows }: Grid): TicketText {
  const { ticket, prizeCents, combinationStart, combinationEnd, gridCount, rowStarts } = record;
  const bytes = bufferOf(window);
  const first = rowStarts[0] ?? 0;
  return {
    ticket,
    prizeCents,
    // Most tickets lose.
    combination:
      combinationStart === combinationEnd
        ? ''
        : bytes.toString('latin1', combinationStart, combinationEnd),
    text: bytes.toString('latin1', first, end),
    gridCount,
    gridStride: gridCount > 1 ? (rowStarts[rows] ?? 0) - first : 0,
    rowStride: rows > 1 ? (rowStarts[1] ?? 0) - first : 0,
  };
}

function recordOf(
  { ticket, prizeCents, combination, text, gridCount, gridStride, rowStride }: TicketText,
  { rows, columns }: Grid,
): TicketRecord {
  const grids: string[][] = [];
  for (let grid = 0; grid < gridCount; grid += 1) {
    const lines: string[] = [];
    for (let row = 0; row < rows; row += 1) {
      const at = grid * gridStride + row * rowStride;
      lines.push(text.slice(at, at + columns));
    }
    grids.push(lines);
  }
  return { ticket, prize_cents: prizeCents, combination, grids };
}

/** Whether every cell is a letter, which the decoder does not look at. */
function hasLettersOnly({ window, record }: ReadTicket, { rows, columns }: Grid): boolean {
  const { gridCount, rowStarts } = record;
  for (let row = 0; row < gridCount * rows; row += 1) {
    const at = rowStarts[row] ?? 0;
    if (!areLetters(window.bytes, at, at + columns)) return false;
  }
  return true;
}

const BUFFERS = new WeakMap<ByteWindow, Buffer>();

/** The bytes of a window as a buffer, which is made once: some thousand records stand in it. */
function bufferOf(window: ByteWindow): Buffer {
  let buffer = BUFFERS.get(window);
  if (buffer === undefined) {
    const { bytes } = window;
    buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    BUFFERS.set(window, buffer);
  }
  return buffer;
}

function areLetters(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < UPPER_A || byte > UPPER_Z) return false;
  }
  return true;
}
