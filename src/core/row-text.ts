import { endianness } from 'node:os';

/**
 * A row of a grid travels through the program as the eight bytes of one 64-bit float: its letters
 * in ASCII from the first byte on, the rest zero. One load and one store move a whole row, and no
 * letter pattern is a NaN (that would need a byte of 0x7F or 0xFF), so no bit is ever changed.
 */
export const ROW_BYTES = 8;

/** The byte order to hand to `DataView`, so that its bytes equal those of a `Float64Array`. */
export const HOST_IS_LITTLE_ENDIAN = endianness() === 'LE';

/** Packs up to eight ASCII characters into the bytes of one 64-bit float. */
export function packAscii(text: string): number {
  const bytes = new Uint8Array(ROW_BYTES);
  for (let index = 0; index < text.length && index < ROW_BYTES; index += 1) {
    bytes[index] = text.charCodeAt(index);
  }
  return new DataView(bytes.buffer).getFloat64(0, HOST_IS_LITTLE_ENDIAN);
}
