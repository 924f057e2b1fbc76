import { readdirSync } from 'node:fs';
import * as actualFiles from 'node:fs/promises';
import { expect, jest, test } from '@jest/globals';
import { FaultyFiles } from '../testing/faulty-files.js';
import { folderMaker } from '../testing/sample-requests.js';

const files = new FaultyFiles(actualFiles);
jest.unstable_mockModule('node:fs/promises', () => files.module);
const { BATCH_LOCK, lockFolder } = await import('./folder-lock.js');

const newFolder = folderMaker();

/** What is cleared up while a lock is taken, at a second attempt or by the next one. */
const HARMLESS: ReadonlySet<string> = new Set(['unlink', 'readdir']);

test('a lock that cannot be taken because of any call that fails leaves nothing', async () => {
  files.arm();
  await lockFolder(newFolder(), BATCH_LOCK);
  const { calls } = files;
  expect(calls).toEqual(['open', 'write', 'sync', 'close', 'link', 'unlink', 'readdir']);
  for (const [index, call] of calls.entries()) {
    const folder = newFolder();
    files.arm({ nth: index + 1, code: 'EIO' });
    const taking = lockFolder(folder, BATCH_LOCK);
    if (HARMLESS.has(call)) await (await taking).release();
    else await expect(taking).rejects.toMatchObject({ name: 'MachineError', code: 'EIO' });
    files.arm();
    expect([call, readdirSync(folder)]).toEqual([call, []]);
  }
});
