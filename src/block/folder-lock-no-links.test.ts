import * as actual from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import { folderMaker } from '../testing/sample-requests.js';

jest.unstable_mockModule('node:fs/promises', () => ({
  ...actual,
  link: async (): Promise<void> => {
    const error = new Error('EPERM: operation not permitted, link');
    return Promise.reject(Object.assign(error, { code: 'EPERM' }));
  },
}));

const { BATCH_LOCK, lockFolder } = await import('./folder-lock.js');
const newFolder = folderMaker();

test('a lock is got by exactly one of many where the file system knows no second names', async () => {
  const out = newFolder();
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, async () => lockFolder(out, BATCH_LOCK)),
  );
  const won = results.filter((result) => result.status === 'fulfilled');
  expect(won).toHaveLength(1);
  expect(readdirSync(out)).toEqual([BATCH_LOCK.file]);
  await won[0]?.value.release();
  expect(readdirSync(out)).toEqual([]);
});
