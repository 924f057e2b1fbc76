import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatCount, formatEuros, parseEuros } from './money.js';

describe('reading euros', () => {
  test.each([
    ['0.5', 50],
    ['0,5', 50],
    ['0.50', 50],
    ['1', 100],
    ['2.00', 200],
    ['7,5', 750],
    ['0.07', 7],
    ['0.29', 29],
    ['007', 700],
    ['999999999.99', 99_999_999_999],
  ])('takes %s as %i cents', (text, cents) => {
    expect(parseEuros(text)).toBe(cents);
  });

  test.each([
    '',
    '.',
    '.5',
    '1.',
    '1.000',
    '1,000.00',
    '1 000',
    '-1',
    '+1',
    '1e2',
    '0x10',
    'NaN',
    'Infinity',
    ' 1',
    '1\n',
    '1€',
    '١',
    '1234567890',
  ])('does not take %j', (text) => {
    expect(parseEuros(text)).toBeUndefined();
  });

  test('gives back every amount that was written', () => {
    fc.assert(
      fc.property(fc.nat(99_999_999_999), (cents) => {
        expect(parseEuros(formatEuros(cents).replaceAll(',', ''))).toBe(cents);
      }),
    );
  });
});

describe('writing amounts', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [50, '0.50'],
    [99_999, '999.99'],
    [100_000, '1,000.00'],
    [31_500_000, '315,000.00'],
    [-123_456, '-1,234.56'],
    [9_007_199_254_740_991, '90,071,992,547,409.91'],
  ])('writes %i cents as %s', (cents, text) => {
    expect(formatEuros(cents)).toBe(text);
  });

  test.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [900_000, '900,000'],
    [1_234_567, '1,234,567'],
  ])('writes the count %i as %s', (count, text) => {
    expect(formatCount(count)).toBe(text);
  });
});
