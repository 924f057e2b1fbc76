import Table from 'cli-table3';
import { describe, expect, test } from '@jest/globals';
import { padText, textWidth } from './text-width.js';

describe('the width of a line', () => {
  test.each([
    ['nothing', '', 0],
    ['letters', 'vase', 4],
    ['an accent within its letter', '\u00e9toile', 6],
    ['an accent by itself', 'e\u0301toile', 6],
    ['wide letters', '漢字', 4],
    ['wide letters beside narrow ones', 'A字b', 4],
    ['wide letters outside the first plane', '\u{20000}', 2],
    ['a narrow letter outside the first plane', '\u{10400}', 1],
    ['Hangul and kana', '한글かな', 8],
    ['narrow kana', 'ｱｲ', 2],
    ['colours', '\u001b[1m\u001b[36mvase\u001b[39m\u001b[22m', 4],
    ['a frame', '┌──┐', 4],
  ])('counts %s', (_, text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  test('is the one that tables make room for', () => {
    for (const text of [
      'vase',
      '\u00e9toile',
      'e\u0301toile',
      '漢字',
      '\u{20000}',
      '한글かな',
      'ｱｲ',
      'Ωж',
    ]) {
      const table = new Table({ style: { border: [], 'padding-left': 0, 'padding-right': 0 } });
      table.push([text]);
      const [frame = ''] = table.toString().split('\n');
      expect([text, frame.length]).toEqual([text, textWidth(text) + 2]);
    }
  });
});

test('a line is padded by the columns that it takes, and never cut', () => {
  expect(padText('e\u0301te\u0301', 5)).toBe('e\u0301te\u0301  ');
  expect(padText('漢', 3)).toBe('漢 ');
  expect(padText('vase', 4)).toBe('vase');
  expect(padText('vase', 3)).toBe('vase');
});
