import { expect, test } from '@jest/globals';
import { STRONG_SEED_BITS } from '../core/algorithm.js';
import { mostSeedBits } from './seed-strength.js';

test.each([
  ['', 0],
  ['0110', 4],
  ['1234567890', 33],
  ['deadbeef', 32],
  ['DEADBEEF', 32],
  ['hello', 25],
  ['Hello', 30],
  ['a b', 24],
  ['é', 16],
])('%j has at most %d bits', (text, bits) => {
  expect(mostSeedBits(Buffer.from(text))).toBe(bits);
});

test.each([
  ['32 hexadecimal digits', '0123456789abcdef'.repeat(2), true],
  ['31 hexadecimal digits', '0123456789abcdef'.repeat(2).slice(1), false],
  ['39 decimal digits', '123456789'.repeat(5).slice(0, 39), true],
  ['38 decimal digits', '123456789'.repeat(5).slice(0, 38), false],
  ['Base64 of 16 bytes', 'q83vASNFZ4mrze8BI0VniQ==', true],
])('%s are strong: %s', (_, text, isStrong) => {
  expect(mostSeedBits(Buffer.from(text)) >= STRONG_SEED_BITS).toBe(isStrong);
});
