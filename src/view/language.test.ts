import { describe, expect, test } from '@jest/globals';
import { isLanguageId, numberStyle, shareText } from './language.js';

/** What French parts thousands with, written out: the test must not trust the code's own. */
const NARROW = '\u{202f}';

describe('numbers', () => {
  const en = numberStyle('en');
  const fr = numberStyle('fr');

  test.each([
    [0, '0', '0'],
    [999, '999', '999'],
    [1_000, '1,000', `1${NARROW}000`],
    [99_999, '99,999', `99${NARROW}999`],
    [900_000, '900,000', `900${NARROW}000`],
    [1_234_567, '1,234,567', `1${NARROW}234${NARROW}567`],
  ])('%d counts as %s and %s', (value, english, french) => {
    expect([en.count(value), fr.count(value)]).toEqual([english, french]);
  });

  test.each([
    [0, '0.00', '0,00'],
    [1, '0.01', '0,01'],
    [750, '7.50', '7,50'],
    [100_000_000, '1,000,000.00', `1${NARROW}000${NARROW}000,00`],
  ])('%d cents are %s and %s euros', (cents, english, french) => {
    expect([en.euros(cents), fr.euros(cents)]).toEqual([english, french]);
  });

  test.each([
    [0.168, '16.80 %', '16,80\u{a0}%'],
    [1, '100.00 %', '100,00\u{a0}%'],
    [12.5, '1,250.00 %', `1${NARROW}250,00\u{a0}%`],
    [0, '0.00 %', '0,00\u{a0}%'],
    [0.00014, '0.01 %', '0,01\u{a0}%'],
    [0.0001, '0.01 %', '0,01\u{a0}%'],
    [0.0000999, '0.01 %', '0,01\u{a0}%'],
    [0.00009949, '0.0099 %', '0,0099\u{a0}%'],
    [0.00004, '0.0040 %', '0,0040\u{a0}%'],
    [1 / 800_000, '0.00013 %', '0,00013\u{a0}%'],
    [2e-9, '0.00000020 %', '0,00000020\u{a0}%'],
  ])('a part of %d is %s', (part, english, french) => {
    expect([en.percent(part), fr.percent(part)]).toEqual([english, french]);
  });

  test('have the decimals that are asked for, none parted behind the point, and their sign', () => {
    expect(en.decimal(1234.56789, 5)).toBe('1,234.56789');
    expect(fr.decimal(1234.56789, 5)).toBe(`1${NARROW}234,56789`);
    expect(en.decimal(-1234.5, 1)).toBe('-1,234.5');
    expect(en.decimal(2.5, 0)).toBe('3');
  });
});

test.each([
  [1, 8, '12.50 %'],
  [0, 8, '0.00 %'],
  [0, 0, '-'],
  [8, 8, '100.00 %'],
  [1, 900_000, '0.00011 %'],
])('%d of %d is %s', (part, whole, text) => {
  expect(shareText(part, whole)).toBe(text);
});

test('a language is one of those that there are', () => {
  expect(['en', 'fr', 'de', '', 'EN', 'constructor'].filter(isLanguageId)).toEqual(['en', 'fr']);
});
