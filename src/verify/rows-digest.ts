import { createHash, type Hash } from 'node:crypto';
import { HOST_IS_LITTLE_ENDIAN, ROW_BYTES } from '../core/row-text.js';

const BUFFER_BYTES = 65_536;

/** SHA-256 over the letters of all rows in order, so that two formats can be held to the same tickets. */
export class RowsDigest {
  readonly #hash: Hash = createHash('sha256');
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  readonly #view = new DataView(this.#buffer.buffer);
  #end = 0;

  /** Takes the rows that start at the given places, of `columns` letters each (at most eight). */
  add(view: DataView, rowStarts: Int32Array, rowCount: number, columns: number): void {
    for (let row = 0; row < rowCount; row += 1) {
      if (this.#end > BUFFER_BYTES - ROW_BYTES) this.#flush();
      const letters = view.getFloat64(rowStarts[row] ?? 0, HOST_IS_LITTLE_ENDIAN);
      // The separators behind a short row are written too, and overwritten by the next row.
      this.#view.setFloat64(this.#end, letters, HOST_IS_LITTLE_ENDIAN);
      this.#end += columns;
    }
  }

  /** The hash so far, lower-case hex; nothing can be added afterwards. */
  digest(): string {
    this.#flush();
    return this.#hash.digest('hex');
  }

  #flush(): void {
    this.#hash.update(this.#buffer.subarray(0, this.#end));
    this.#end = 0;
  }
}
