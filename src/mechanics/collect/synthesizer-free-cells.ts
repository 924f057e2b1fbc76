import { packAscii, ROW_BYTES } from '../../core/row-text.js';
import type { RandomStream } from '../../engine/random-stream.js';

/** The most fillings of one segment, so that its table stays small. */
const MOST_FILLINGS = 65_536;

/**
 * Draws symbols without a cap for every cell of a grid: each row is cut into segments, as long as
 * their fillings are at most 65,536 (the last one of a row may be shorter), and each segment's
 * filling is one uniform draw. Fillings are in lexicographic order, letters in the definition's.
 */
export class FreeCells {
  readonly #rowCount: number;
  readonly #segments: readonly { readonly column: number; readonly fillings: Float64Array }[];
  readonly #bytes = new Uint8Array(ROW_BYTES);

  /** @param letters - Codes of the free symbols; where there are none, nothing is drawn. */
  constructor(
    letters: readonly string[],
    grid: { readonly rows: number; readonly columns: number },
  ) {
    this.#rowCount = letters.length === 0 ? 0 : grid.rows;
    const longest = segmentLength(letters.length, grid.columns);
    const segments: { readonly column: number; readonly fillings: Float64Array }[] = [];
    for (let column = 0; column < grid.columns && this.#rowCount > 0; column += longest) {
      const length = Math.min(longest, grid.columns - column);
      segments.push({ column, fillings: makeFillings(letters, length) });
    }
    this.#segments = segments;
  }

  /** Draws the rows of one grid, packed as `row-text.ts` says, from index `firstRow` on. */
  draw(stream: RandomStream, rows: Float64Array, firstRow: number): void {
    const segments = this.#segments;
    const endRow = firstRow + this.#rowCount;
    if (segments.length === 1) {
      const fillings = segments[0]?.fillings ?? rows;
      for (let row = firstRow; row < endRow; row += 1) {
        rows[row] = fillings[stream.uniform(fillings.length)] ?? 0;
      }
      return;
    }
    const bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
    const packed = new Float64Array(this.#bytes.buffer);
    for (let row = firstRow; row < endRow; row += 1) {
      for (const { column, fillings } of segments) {
        packed[0] = fillings[stream.uniform(fillings.length)] ?? 0;
        bytes.set(this.#bytes.subarray(0, ROW_BYTES - column), row * ROW_BYTES + column);
      }
    }
  }
}

/** The longest segment of at most `columns` cells that has no more than the most fillings. */
function segmentLength(letterCount: number, columns: number): number {
  let length = 1;
  while (length < columns && letterCount ** (length + 1) <= MOST_FILLINGS) length += 1;
  return length;
}

function makeFillings(letters: readonly string[], length: number): Float64Array {
  let fillings: readonly string[] = [''];
  for (let cell = 0; cell < length; cell += 1) {
    fillings = fillings.flatMap((filling) => letters.map((letter) => filling + letter));
  }
  return Float64Array.from(fillings, packAscii);
}
