import { describe, expect, test } from '@jest/globals';
import { describeValue, formatProblem } from './problem.js';

describe('a problem in one line', () => {
  test('has its place, what was found and what was expected', () => {
    const problem = { pointer: '/grid/rows', found: '9', expected: 'at most 8' };
    expect(formatProblem(problem)).toBe('/grid/rows: found 9, expected at most 8');
  });

  test('says so where the whole definition is meant', () => {
    const problem = { pointer: '', found: 'null', expected: 'an object' };
    expect(formatProblem(problem)).toBe('the whole definition: found null, expected an object');
  });

  test('is safe to print whatever the name of the field is', () => {
    const problem = { pointer: '/\u001b[2J', found: '1', expected: 'no such field' };
    expect(formatProblem(problem)).toBe('/\\u{1b}[2J: found 1, expected no such field');
  });
});

test.each([
  ['text', '"text"'],
  ['\u001b[2J', '"\\u{1b}[2J"'],
  ['a'.repeat(61), `"${'a'.repeat(60)}…"`],
  [5, '5'],
  [0.5, '0.5'],
  [true, 'true'],
  [null, 'null'],
  [undefined, 'nothing'],
  [[1, 2], 'a list of 2'],
  [{ a: 1 }, 'an object'],
])('the value %j is described as %s', (value, words) => {
  expect(describeValue(value)).toBe(words);
});
