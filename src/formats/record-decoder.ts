import { ROW_BYTES } from '../core/row-text.js';

/** The constant text of a record format, as its reader expects it. */
export interface RecordPattern {
  readonly beforeNumber: string;
  readonly beforePrize: string;
  readonly beforeCombination: string;
  readonly afterCombination: string;
  readonly betweenRows: string;
  readonly betweenGrids: string;
  readonly end: string;
}

/** The most grids that a record may have and still be read by the fast path. */
const MOST_GRIDS = 64;

/** Bytes that must be readable behind the last record of a buffer: eight-byte loads may look there. */
export const READ_AHEAD_BYTES = ROW_BYTES;

/** What a record says, as places in its buffer; the same object serves record after record. */
export interface DecodedRecord {
  ticket: number;
  prizeCents: number;
  combinationStart: number;
  combinationEnd: number;
  gridCount: number;
  /** Where each row of each grid starts in the buffer. */
  readonly rowStarts: Int32Array;
}

/** Bytes and the same memory as a `DataView`. */
export interface ByteWindow {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where text must end at the latest: bytes behind it are read ahead. */
  readonly end: number;
}

/** A window on all of some bytes, of which {@link READ_AHEAD_BYTES} are for reading ahead only. */
export function byteWindow(bytes: Uint8Array): ByteWindow {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { bytes, view, end: bytes.length - READ_AHEAD_BYTES };
}

const QUOTE = 34;
const PLUS = 43;
const COMMA = 44;
const DIGIT_ZERO = 48;
const DIGIT_NINE = 57;
const UPPER_A = 65;
const UPPER_Z = 90;

/** Numbers of up to fifteen digits are exact. */
const MOST_DIGITS = 15;

/**
 * Reads records that are right to the byte, and nothing else: whatever differs from the format in
 * any way is refused, for the careful reader to explain. Letters of rows are not looked at here.
 */
export class RecordDecoder {
  readonly #pattern: Readonly<Record<keyof RecordPattern, Literal>>;
  readonly #grid: { readonly rows: number; readonly columns: number };
  /** Set by the last number that was read. */
  #number = 0;

  constructor(pattern: RecordPattern, grid: { readonly rows: number; readonly columns: number }) {
    this.#pattern = {
      beforeNumber: new Literal(pattern.beforeNumber),
      beforePrize: new Literal(pattern.beforePrize),
      beforeCombination: new Literal(pattern.beforeCombination),
      afterCombination: new Literal(pattern.afterCombination),
      betweenRows: new Literal(pattern.betweenRows),
      betweenGrids: new Literal(pattern.betweenGrids),
      end: new Literal(pattern.end),
    };
    this.#grid = grid;
  }

  /** Room for what {@link decode} finds. */
  newRecord(): DecodedRecord {
    const rowStarts = new Int32Array(MOST_GRIDS * this.#grid.rows);
    const nothing = { ticket: 0, prizeCents: 0, combinationStart: 0, combinationEnd: 0 };
    return { ...nothing, gridCount: 0, rowStarts };
  }

  /**
   * Reads the record that starts at `start`.
   *
   * @param window - {@link READ_AHEAD_BYTES} must be readable behind the record.
   * @returns Where the next record starts, or -1 where this one is not right to the byte.
   */
  decode(window: ByteWindow, start: number, record: DecodedRecord): number {
    const pattern = this.#pattern;
    let at = pattern.beforeNumber.skip(window, start);
    at = this.#skipNumber(window.bytes, at);
    record.ticket = this.#number;
    at = pattern.beforePrize.skip(window, at);
    at = this.#skipNumber(window.bytes, at);
    record.prizeCents = this.#number;
    at = pattern.beforeCombination.skip(window, at);
    record.combinationStart = at;
    at = skipCombination(window.bytes, at);
    record.combinationEnd = at;
    at = pattern.afterCombination.skip(window, at);
    return at < 0 ? -1 : this.#skipGrids(window, at, record);
  }

  /** Reads a whole number without sign or leading zeros. */
  #skipNumber(bytes: Uint8Array, start: number): number {
    if (start < 0) return -1;
    let value = 0;
    let at = start;
    for (; at < start + MOST_DIGITS; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte < DIGIT_ZERO || byte > DIGIT_NINE) break;
      value = value * 10 + (byte - DIGIT_ZERO);
    }
    const isCanonical = at === start + 1 || (at > start && bytes[start] !== DIGIT_ZERO);
    this.#number = value;
    return isCanonical ? at : -1;
  }

  #skipGrids(window: ByteWindow, start: number, record: DecodedRecord): number {
    const { betweenRows, betweenGrids, end } = this.#pattern;
    const { rows, columns } = this.#grid;
    const { rowStarts } = record;
    const lastGridRow = rowStarts.length - rows;
    let at = start;
    for (let firstRow = 0; firstRow <= lastGridRow; firstRow += rows) {
      for (let row = 0; row < rows; row += 1) {
        if (at < 0 || at + columns > window.end) return -1;
        rowStarts[firstRow + row] = at;
        at += columns;
        if (row < rows - 1) at = betweenRows.skip(window, at);
      }
      const next = end.skip(window, at);
      if (next >= 0) {
        record.gridCount = firstRow / rows + 1;
        return next;
      }
      at = betweenGrids.skip(window, at);
    }
    return -1;
  }
}

function skipCombination(bytes: Uint8Array, start: number): number {
  if (start < 0) return -1;
  let at = start;
  for (;;) {
    const byte = bytes[at] ?? QUOTE;
    if (byte === QUOTE || byte === COMMA) return at;
    const isLetter = byte >= UPPER_A && byte <= UPPER_Z;
    const isDigit = byte >= DIGIT_ZERO && byte <= DIGIT_NINE;
    if (!isLetter && !isDigit && byte !== PLUS) return -1;
    at += 1;
  }
}

/** Bytes that are compared at a time. */
const WORD_BYTES = 4;

/** Text that must stand at a place, compared four bytes at a time. */
class Literal {
  readonly #length: number;
  /** The first word, of which only the bytes of the mask count where the text is shorter. */
  readonly #first: number;
  readonly #mask: number;
  /** The words behind it; the last one ends with the text and may overlap the one before. */
  readonly #others: Int32Array;
  readonly #offsets: Uint8Array;

  constructor(text: string) {
    this.#length = text.length;
    this.#first = packWord(text.slice(0, WORD_BYTES));
    this.#mask = packWord('\xff'.repeat(Math.min(text.length, WORD_BYTES)));
    const offsets: number[] = [];
    for (let end = WORD_BYTES; end < text.length; end += WORD_BYTES) {
      offsets.push(Math.min(end, text.length - WORD_BYTES));
    }
    this.#offsets = Uint8Array.from(offsets);
    this.#others = Int32Array.from(offsets, (offset) =>
      packWord(text.slice(offset, offset + WORD_BYTES)),
    );
  }

  /** Where the text ends if it stands at `start`; -1 if it does not, or if `start` is -1. */
  skip({ view, end: lastEnd }: ByteWindow, start: number): number {
    const end = start + this.#length;
    if (start < 0 || end > lastEnd) return -1;
    if ((view.getInt32(start, true) & this.#mask) !== this.#first) return -1;
    for (let index = 0; index < this.#others.length; index += 1) {
      const at = start + (this.#offsets[index] ?? 0);
      if (view.getInt32(at, true) !== this.#others[index]) return -1;
    }
    return end;
  }
}

/** Up to four characters as a 32-bit integer, the first one lowest. */
function packWord(text: string): number {
  return Buffer.from(text.padEnd(WORD_BYTES, '\0'), 'latin1').readInt32LE();
}
