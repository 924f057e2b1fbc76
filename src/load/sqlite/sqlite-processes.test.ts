import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { validBlock, writeBlock } from '../../testing/broken-blocks.js';
import { resultOf } from '../../testing/command-line.js';
import { definitionPath, folderMaker } from '../../testing/sample-requests.js';
import {
  loadCopy,
  newLab,
  rawConnection,
  rawRows,
  sell,
  withDatabase,
} from '../../testing/sqlite-lab.js';

const makeFolder = folderMaker();

const LOADER = fileURLToPath(
  new URL('../../../fixtures/sellers/sqlite-loader.mjs', import.meta.url),
);

/** Starts to load a block in a process of its own. */
function startLoader(path: string, folder: string, ...more: readonly string[]): ChildProcess {
  const argv = [LOADER, path, folder, definitionPath('rows-plain'), ...more];
  return spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
}

const SAMPLE = await validBlock('rows-plain');

test('a loader that is killed leaves nothing, and the next one loads the block', async () => {
  const lab = newLab(makeFolder());
  const folder = writeBlock(SAMPLE, lab.folder);
  const loader = startLoader(lab.path, folder, 'pause');
  const ended = once(loader, 'close');
  const [said] = (await Promise.race([once(loader.stdout!, 'data'), ended])) as unknown[];
  expect(String(said)).toBe('loading\n');
  // Nobody sees anything of a block that is being loaded.
  expect(rawRows(lab.path, 'select * from blocks')).toEqual([]);
  loader.kill('SIGKILL');
  await ended;
  const statuses = await withDatabase(lab.path, async (database) => database.status(), {
    mustExist: true,
  });
  expect(statuses).toEqual([]);
  const again = await loadCopy(lab, SAMPLE, { onSale: true });
  expect(again).toMatchObject({ isNew: true, state: 'on sale' });
  expect(rawRows(lab.path, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(sell(lab.path, SAMPLE, 'a sale')).toMatchObject({ number: 1 });
});

test('of two loaders at once one loads the block, and the other finds it there', async () => {
  const lab = newLab(makeFolder());
  const folder = writeBlock(SAMPLE, lab.folder);
  const loaders = [startLoader(lab.path, folder), startLoader(lab.path, folder)];
  const results = await Promise.all(loaders.map(resultOf));
  expect(results.map(({ stderr }) => stderr)).toEqual(['', '']);
  expect(results.map(({ stdout }) => stdout).sort()).toEqual([
    '{"isNew":false,"state":"on sale"}\n',
    '{"isNew":true,"state":"on sale"}\n',
  ]);
  expect(rawRows(lab.path, 'select count(*) as n from tickets')).toEqual([{ n: 1000 }]);
});

test('a database is read while somebody sells from it', async () => {
  const lab = newLab(makeFolder());
  await loadCopy(lab, SAMPLE, { onSale: true });
  const seller = rawConnection(lab.path);
  seller.exec('begin immediate');
  try {
    await withDatabase(
      lab.path,
      async (database) => {
        const stored = await database.open('rows-plain-100-e1-b1');
        seller.exec(`update tickets set sold_at = 'now', sale_reference = 'x' where number = 1`);
        seller.exec('commit');
        // All that is read of a block is of the moment when it was opened.
        expect(await stored.saleFaults()).toEqual([]);
        const [status] = await database.status();
        expect(status).toMatchObject({ tickets: 1000, sold: 1 });
      },
      { mustExist: true },
    );
  } finally {
    seller.close();
  }
});
