import {
  byteWindow,
  READ_AHEAD_BYTES,
  type ByteWindow,
  type DecodedRecord,
} from '../formats/record-decoder.js';

/** Grids as the decoder hands them to an evaluator; each character is one byte. */
export function decodedGrids(grids: readonly (readonly string[])[]): {
  readonly window: ByteWindow;
  readonly record: DecodedRecord;
} {
  const rows = grids.flat();
  const rowStarts = new Int32Array(rows.length);
  let end = 0;
  rows.forEach((row, index) => {
    rowStarts[index] = end;
    // A separator between the rows must not be taken for a letter.
    end += row.length + 1;
  });
  const bytes = Buffer.from(rows.join('/') + '/'.repeat(READ_AHEAD_BYTES), 'latin1');
  const claims = { ticket: 1, prizeCents: 0, combinationStart: 0, combinationEnd: 0 };
  return { window: byteWindow(bytes), record: { ...claims, gridCount: grids.length, rowStarts } };
}
