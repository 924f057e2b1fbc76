import * as actualFiles from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, jest, test } from '@jest/globals';

const closeSync = jest.fn(actualFiles.closeSync);
const fail = (): never => {
  throw Object.assign(new Error('EIO: made up'), { code: 'EIO' });
};
jest.unstable_mockModule('node:fs', () => ({ ...actualFiles, closeSync, fstatSync: fail }));
const { readFileBytes } = await import('./read-json-file.js');

test('a file that the system says nothing about is closed, and the machine has failed', () => {
  const path = fileURLToPath(new URL('../../package.json', import.meta.url));
  expect(() => readFileBytes(path)).toThrow(`cannot read ${path}: the device reported`);
  expect(closeSync).toHaveBeenCalledTimes(1);
});
