import { expect, test } from '@jest/globals';
import { assert, defined, InvariantError } from './assert.js';

test('a true condition passes, and its message is never made', () => {
  assert(true, () => {
    throw new Error('the message was made');
  });
});

test.each([
  ['a text', '2 was expected, 3 was found'],
  ['a function', () => '2 was expected, 3 was found'],
])('a false condition throws the message given as %s', (_, message) => {
  expect(() => assert(false, message)).toThrow(new InvariantError('2 was expected, 3 was found'));
});

test.each([0, '', false, null])('%j is defined', (value) => {
  expect(defined(value, 'the value')).toBe(value);
});

test('undefined is not defined', () => {
  expect(() => defined(undefined, 'the tier')).toThrow(
    new InvariantError('the tier was expected to be defined'),
  );
});
