import { ROW_BYTES } from '../core/row-text.js';

/** The letters of packed rows: the bytes of each row up to the first zero, which must be the last. */
export function readRows(rows: Float64Array, count: number): readonly string[] {
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, count * ROW_BYTES);
  return Array.from({ length: count }, (_, row) => {
    const text = bytes.toString('latin1', row * ROW_BYTES, (row + 1) * ROW_BYTES);
    return text.replace(/\0+$/, '');
  });
}

/** Cuts a ticket's rows into its grids. */
export function toGrids(rows: readonly string[], rowsPerGrid: number): readonly string[][] {
  const grids: string[][] = [];
  for (let row = 0; row < rows.length; row += rowsPerGrid) {
    grids.push(rows.slice(row, row + rowsPerGrid));
  }
  return grids;
}
