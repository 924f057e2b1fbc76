import { describe, expect, test } from '@jest/globals';
import { TicketHash } from './ticket-hash.js';

/** The hash of rows that stand one behind the other, with something behind each. */
function hashOf(rows: readonly string[], behind = '|'): string {
  const columns = rows[0]?.length ?? 0;
  const hash = new TicketHash(columns);
  const bytes = Buffer.from(rows.map((row) => row + behind.repeat(8)).join(''));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const starts = Int32Array.from(rows, (_, row) => row * (columns + 8));
  hash.take(view, starts, rows.length);
  return `${hash.key}/${hash.rest}`;
}

describe('the hash of a ticket', () => {
  test('is of its letters alone', () => {
    for (const row of ['AB', 'ABC', 'ABCD', 'ABCDE', 'ABCDEFGH']) {
      expect(hashOf([row, row], '"')).toBe(hashOf([row, row], '/'));
    }
  });

  test('tells letters, their places, and the number of rows apart', () => {
    const hashes = [
      ['ABCDE', 'FGHIJ'],
      ['FGHIJ', 'ABCDE'],
      ['ABCDF', 'FGHIJ'],
      ['ABCDE', 'FGHIK'],
      ['ABCDE'],
      ['ABCDE', 'FGHIJ', 'ABCDE'],
    ].map((rows) => hashOf(rows));
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('spreads rows that differ in one letter over all bits', () => {
    const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const hashes = letters.flatMap((a) =>
      letters.flatMap((b) => letters.map((c) => hashOf([`${a}${b}${c}`, 'AAA']))),
    );
    expect(new Set(hashes).size).toBe(26 ** 3);
    const rests = hashes.map((text) => Number(text.split('/')[1]));
    for (let bit = 0; bit < 32; bit += 1) {
      const share = rests.filter((rest) => ((rest >>> bit) & 1) === 1).length / rests.length;
      // Five standard deviations.
      expect(Math.abs(share - 0.5)).toBeLessThan(5 * Math.sqrt(0.25 / rests.length));
    }
  });
});
