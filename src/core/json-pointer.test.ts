import { expect, test } from '@jest/globals';
import { jsonPointer } from './json-pointer.js';

// The examples of RFC 6901, section 5.
test.each([
  [[], ''],
  [['foo', 0], '/foo/0'],
  [[''], '/'],
  [['a/b'], '/a~1b'],
  [['m~n'], '/m~0n'],
  [[' '], '/ '],
  [['~1'], '/~01'],
])('writes %j as the pointer "%s"', (path, pointer) => {
  expect(jsonPointer(path)).toBe(pointer);
});
