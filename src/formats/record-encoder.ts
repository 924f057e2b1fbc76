import { HOST_IS_LITTLE_ENDIAN, packAscii, ROW_BYTES } from '../core/row-text.js';
import { CHUNK_TICKETS, type TicketChunk } from '../core/ticket-chunk.js';
import type { Game } from '../definitions/game.js';
import type { Outcome } from '../definitions/outcome-law.js';

/** The constant text of a record format; each separator has at most eight ASCII characters. */
export interface RecordLayout {
  /** Before the first record. */
  readonly header: string;
  /** Before the ticket number. */
  readonly beforeNumber: string;
  /** Between the ticket number and the first row of the first grid. */
  readonly afterNumber: (outcome: Pick<Outcome, 'prizeCents' | 'combination'>) => string;
  readonly betweenRows: string;
  readonly betweenGrids: string;
  readonly end: string;
}

/** Digits of the largest ticket number that a block may have (schema: 100,000,000). */
const MOST_DIGITS = 9;

/** The most bytes that an eight-byte store may write past the text that it stands for. */
const OVERHANG_BYTES = 2 * ROW_BYTES;

/** Text as 64-bit floats, eight bytes each, for copies of eight bytes at a time. */
interface PackedText {
  readonly words: Float64Array;
  readonly length: number;
}

/**
 * Writes tickets as records of a fixed text format. No strings or objects are made for a ticket:
 * constant text and rows are copied eight bytes at a time, and what a copy writes too much is
 * overwritten by the next.
 */
export class RecordEncoder {
  /** Text before the first record. */
  readonly header: Uint8Array;
  /** Bytes that the buffer of {@link encode} must have. */
  readonly bufferBytes: number;
  readonly #outcomeTexts: readonly PackedText[];
  readonly #gridCounts: Uint8Array;
  readonly #grid: Game['grid'];
  readonly #beforeNumber: PackedText;
  readonly #betweenRows: number;
  readonly #betweenRowsLength: number;
  readonly #betweenGrids: number;
  readonly #betweenGridsLength: number;
  readonly #end: number;
  readonly #endLength: number;

  constructor(layout: RecordLayout, grid: Game['grid'], outcomes: readonly Outcome[]) {
    this.header = Buffer.from(layout.header, 'ascii');
    this.#grid = grid;
    this.#outcomeTexts = outcomes.map((outcome) => packText(layout.afterNumber(outcome)));
    this.#gridCounts = Uint8Array.from(outcomes, (outcome) => outcome.gridCount);
    this.#beforeNumber = packText(layout.beforeNumber);
    this.#betweenRows = packAscii(layout.betweenRows);
    this.#betweenRowsLength = layout.betweenRows.length;
    this.#betweenGrids = packAscii(layout.betweenGrids);
    this.#betweenGridsLength = layout.betweenGrids.length;
    this.#end = packAscii(layout.end);
    this.#endLength = layout.end.length;
    const longest = outcomes.reduce(
      (most, outcome) => Math.max(most, this.#longestRecord(layout, outcome)),
      0,
    );
    this.bufferBytes = longest * CHUNK_TICKETS + OVERHANG_BYTES;
  }

  /**
   * Writes the records of a chunk to the start of a buffer of {@link bufferBytes}.
   *
   * @returns How many bytes they take; what stands behind them means nothing.
   */
  encode(chunk: TicketChunk, buffer: Uint8Array): number {
    const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    const number = new NumberText(chunk.firstTicket);
    let end = 0;
    let row = 0;
    for (const outcome of chunk.outcomes) {
      end = putText(view, this.#beforeNumber, end);
      end = number.writeTo(buffer, end);
      end = putText(view, this.#outcomeTexts[outcome] ?? this.#beforeNumber, end);
      const gridCount = this.#gridCounts[outcome] ?? 0;
      end = this.#putGrids({ rows: chunk.rows, firstRow: row, gridCount }, view, end);
      row += gridCount * this.#grid.rows;
      number.increment();
    }
    return end;
  }

  #longestRecord(layout: RecordLayout, outcome: Outcome): number {
    const { rows, columns } = this.#grid;
    const separators = layout.betweenRows.length + layout.betweenGrids.length;
    const grids = outcome.gridCount * rows * (columns + separators);
    const texts = layout.beforeNumber.length + layout.afterNumber(outcome).length;
    return texts + MOST_DIGITS + grids + layout.end.length;
  }

  /** Writes a ticket's grids and the end of its record. */
  #putGrids(
    grids: { readonly rows: Float64Array; readonly firstRow: number; readonly gridCount: number },
    view: DataView,
    start: number,
  ): number {
    const { rows, columns } = this.#grid;
    let row = grids.firstRow;
    let end = start;
    for (let grid = 0; grid < grids.gridCount; grid += 1) {
      for (let index = 0; index < rows; index += 1) {
        view.setFloat64(end, grids.rows[row] ?? 0, HOST_IS_LITTLE_ENDIAN);
        view.setFloat64(end + columns, this.#betweenRows, HOST_IS_LITTLE_ENDIAN);
        end += columns + this.#betweenRowsLength;
        row += 1;
      }
      end -= this.#betweenRowsLength;
      view.setFloat64(end, this.#betweenGrids, HOST_IS_LITTLE_ENDIAN);
      end += this.#betweenGridsLength;
    }
    end -= this.#betweenGridsLength;
    view.setFloat64(end, this.#end, HOST_IS_LITTLE_ENDIAN);
    return end + this.#endLength;
  }
}

function putText(view: DataView, text: PackedText, start: number): number {
  const { words, length } = text;
  for (let index = 0; index < words.length; index += 1) {
    view.setFloat64(start + index * ROW_BYTES, words[index] ?? 0, HOST_IS_LITTLE_ENDIAN);
  }
  return start + length;
}

function packText(text: string): PackedText {
  const words: number[] = [];
  for (let start = 0; start < text.length; start += ROW_BYTES) {
    words.push(packAscii(text.slice(start, start + ROW_BYTES)));
  }
  return { words: Float64Array.from(words), length: text.length };
}

/** A ticket number as decimal digits that count up. */
class NumberText {
  readonly #digits: Uint8Array;
  #first: number;

  constructor(number: number) {
    const text = String(number).padStart(MOST_DIGITS, '0');
    this.#digits = Uint8Array.from(text, (digit) => digit.charCodeAt(0));
    this.#first = MOST_DIGITS - String(number).length;
  }

  writeTo(buffer: Uint8Array, start: number): number {
    let end = start;
    for (let index = this.#first; index < MOST_DIGITS; index += 1) {
      buffer[end] = this.#digits[index] ?? 0;
      end += 1;
    }
    return end;
  }

  increment(): void {
    let index = MOST_DIGITS - 1;
    while (this.#digits[index] === DIGIT_NINE) {
      this.#digits[index] = DIGIT_ZERO;
      index -= 1;
    }
    this.#digits[index] = (this.#digits[index] ?? 0) + 1;
    this.#first = Math.min(this.#first, index);
  }
}

const DIGIT_ZERO = 48;
const DIGIT_NINE = 57;
