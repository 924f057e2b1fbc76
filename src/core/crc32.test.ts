import { expect, test } from '@jest/globals';
import { crc32, tableCrc32 } from './crc32.js';

/** The check value of the catalogue of CRC algorithms (CRC-32/ISO-HDLC). */
const CHECK = ['123456789', 0xcbf43926] as const;

test.each([
  ['by a table', tableCrc32],
  ["by Node's own, where there is one", crc32],
])('CRC-32 %s has the known answers, in one piece or in many', (_, sum) => {
  const [text, expected] = CHECK;
  expect(sum(Buffer.from(text), 0)).toBe(expected);
  expect(Array.from(text).reduce((crc, letter) => sum(Buffer.from(letter), crc), 0)).toBe(expected);
  expect(sum(new Uint8Array(0), 0)).toBe(0);
  expect(sum(Uint8Array.of(0), 0)).toBe(0xd202ef8d);
  expect(sum(new Uint8Array(32).fill(0xff), 0)).toBe(0xff6cab0b);
});
