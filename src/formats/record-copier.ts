import type { RecordPattern } from './record-decoder.js';
import { RecordError, type ReadTicket } from './record-feed.js';
import { RECORD_PATTERNS, type TicketFormat } from './ticket-formats.js';

const FIRST_BYTES = 524_288;

const DIGIT_ZERO = 48;
const UPPER_A = 65;
const UPPER_Z = 90;

/**
 * Writes tickets that have been read as records of a format, whichever they were read from. The bytes
 * are those that the format's encoder gave, or would have given.
 */
export class RecordCopier {
  readonly #grid: { readonly rows: number; readonly columns: number };
  readonly #text: Readonly<Record<keyof RecordPattern, Uint8Array>>;
  #bytes = new Uint8Array(FIRST_BYTES);
  #at = 0;

  constructor(format: TicketFormat, grid: { readonly rows: number; readonly columns: number }) {
    const pattern = RECORD_PATTERNS[format];
    const bytesOf = (name: keyof RecordPattern): Uint8Array => Buffer.from(pattern[name], 'latin1');
    this.#grid = grid;
    this.#text = {
      beforeNumber: bytesOf('beforeNumber'),
      beforePrize: bytesOf('beforePrize'),
      beforeCombination: bytesOf('beforeCombination'),
      afterCombination: bytesOf('afterCombination'),
      betweenRows: bytesOf('betweenRows'),
      betweenGrids: bytesOf('betweenGrids'),
      end: bytesOf('end'),
    };
  }

  /**
   * Adds the record of a ticket.
   *
   * @throws RecordError where its rows have anything but letters, which the decoder leaves alone: a
   * separator among them would make two fields of one.
   */
  add({ window, record }: ReadTicket): void {
    const { rows, columns } = this.#grid;
    const { bytes } = window;
    const { ticket, prizeCents, combinationStart, combinationEnd, gridCount, rowStarts } = record;
    const text = this.#text;
    // Two numbers, the combination, and each row with what stands around it.
    this.#makeRoom(256 + combinationEnd - combinationStart + gridCount * rows * (columns + 16));
    this.#copy(text.beforeNumber, 0, text.beforeNumber.length);
    this.#writeNumber(ticket);
    this.#copy(text.beforePrize, 0, text.beforePrize.length);
    this.#writeNumber(prizeCents);
    this.#copy(text.beforeCombination, 0, text.beforeCombination.length);
    this.#copy(bytes, combinationStart, combinationEnd);
    this.#copy(text.afterCombination, 0, text.afterCombination.length);
    const rowCount = gridCount * rows;
    for (let row = 0; row < rowCount; row += 1) {
      if (row > 0) {
        const between = row % rows === 0 ? text.betweenGrids : text.betweenRows;
        this.#copy(between, 0, between.length);
      }
      const start = rowStarts[row] ?? 0;
      if (!areLetters(bytes, start, start + columns)) throw new RecordError(ticket);
      this.#copy(bytes, start, start + columns);
    }
    this.#copy(text.end, 0, text.end.length);
  }

  /** The bytes of the records that were added since the last call; a copy. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#at);
    this.#at = 0;
    return taken;
  }

  #makeRoom(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * this.#bytes.length + count);
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }

  /** Copies a few bytes: for so few a loop is quicker than a call of the engine's own. */
  #copy(source: Uint8Array, start: number, end: number): void {
    const target = this.#bytes;
    let at = this.#at;
    for (let from = start; from < end; from += 1) {
      target[at] = source[from] ?? 0;
      at += 1;
    }
    this.#at = at;
  }

  #writeNumber(value: number): void {
    let digits = 1;
    for (let bound = 10; value >= bound; bound *= 10) digits += 1;
    let rest = value;
    for (let at = this.#at + digits - 1; at >= this.#at; at -= 1) {
      const tenth = Math.floor(rest / 10);
      this.#bytes[at] = DIGIT_ZERO + rest - 10 * tenth;
      rest = tenth;
    }
    this.#at += digits;
  }
}

function areLetters(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < UPPER_A || byte > UPPER_Z) return false;
  }
  return true;
}
