import { describe, expect, test } from '@jest/globals';
import { LetterValues } from './letter-values.js';

const DIGITS = new Map([
  ['A', 0],
  ['B', 1],
  ['C', 2],
]);
const UNKNOWN = -(2 ** 26);

function numberOf(text: string, base: number): number {
  const bytes = Buffer.from(`--${text}--`, 'latin1');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return new LetterValues(DIGITS, base, UNKNOWN).numberAt(view, 2, text.length);
}

describe('letters', () => {
  test.each([
    ['', 0],
    ['C', 2],
    ['BA', 3],
    ['BAC', 11],
    ['ABCAB', 0 * 81 + 27 + 18 + 0 + 1],
    ['CCCCCC', 728],
  ])('are digits, the first one highest: %s', (text, number) => {
    expect(numberOf(text, 3)).toBe(number);
  });

  test.each([
    ['', 0],
    ['ABCCC', 7],
    ['CCCCCCCC', 16],
  ])('add up with base 1: %s', (text, sum) => {
    expect(numberOf(text, 1)).toBe(sum);
  });

  test.each([1, 3, 8])('make the number negative wherever one is unknown (base %d)', (base) => {
    for (const unknown of ['D', 'a', '\0', '\xff', ' ']) {
      for (let place = 0; place < 8; place += 1) {
        const text = 'CCCCCCCC'.slice(0, place) + unknown + 'CCCCCCCC'.slice(place + 1);
        expect(numberOf(text, base)).toBeLessThan(0);
        expect(numberOf(text.slice(0, place + 1), base)).toBeLessThan(0);
      }
    }
    expect(numberOf('XXXXXXXX', base)).toBeLessThan(0);
  });
});
