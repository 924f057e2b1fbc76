import * as zlib from 'node:zlib';

type Crc32 = (bytes: Uint8Array, before: number) => number;

/** The reversed polynomial of CRC-32 (RFC 1952, section 8). */
const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    value = (value & 1) === 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  }
  return value;
});

/** CRC-32 by a table, byte for byte. */
export function tableCrc32(bytes: Uint8Array, before: number): number {
  let crc = ~before;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/**
 * CRC-32 as gzip has it, carried on from the checksum of the bytes before (0 at the beginning). Node's
 * own, which came with 20.15, takes a tenth of the time.
 */
export const crc32: Crc32 = (zlib as { readonly crc32?: Crc32 }).crc32 ?? tableCrc32;
