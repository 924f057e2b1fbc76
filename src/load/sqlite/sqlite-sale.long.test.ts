import { test } from '@jest/globals';
import { folderMaker } from '../../testing/sample-requests.js';
import { expectSoldByKilledSellers } from '../../testing/sqlite-sellers.js';

const newFolder = folderMaker();

test('eight sellers, four of them killed, sell every ticket exactly once', async () => {
  await expectSoldByKilledSellers(newFolder(), 'lagon-mini', 8);
});
