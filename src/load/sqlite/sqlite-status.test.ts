import { expect, test } from '@jest/globals';
import { validBlock, withClaims } from '../../testing/broken-blocks.js';
import { folderMaker } from '../../testing/sample-requests.js';
import { loadCopy, newLab, rawRows, sell, withDatabase } from '../../testing/sqlite-lab.js';
import { STATUS_SQL } from './sqlite-status.js';

const makeFolder = folderMaker();

test('of many blocks only the one that is counted is read', async () => {
  const lab = newLab(makeFolder());
  const block = await validBlock('collect-bare');
  await loadCopy(lab, block, { onSale: true });
  await loadCopy(lab, withClaims(block, { block: 2 }), { trustHash: true });
  const steps = rawRows(lab.path, `explain query plan ${STATUS_SQL}`)
    .map(({ detail }) => String(detail))
    .filter((step) => !step.includes('TEMP B-TREE'));
  expect(steps).toEqual([
    'SEARCH b USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH t USING PRIMARY KEY (block_id=?)',
  ]);
  sell(lab.path, block, 'a sale');
  const statuses = await withDatabase(lab.path, async (database) => database.status());
  expect(statuses.map(({ name, state, tickets, sold }) => [name, state, tickets, sold])).toEqual([
    ['collect-bare-100-e1-b1', 'on sale', 600, 1],
    ['collect-bare-100-e1-b2', 'loaded', 600, 0],
  ]);
});
