import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { validBlock, withClaims, writeBlock } from '../../testing/broken-blocks.js';
import { newPostgresPlace } from '../../testing/postgres-place.js';
import { expectSoldByEight } from '../../testing/postgres-sellers.js';
import { startPostgres, type PostgresServer } from '../../testing/postgres-server.js';
import { folderMaker } from '../../testing/sample-requests.js';
import { loadBlock } from '../load-block.js';

jest.setTimeout(600_000);

const BLOCKS = 5;
const newFolder = folderMaker();

let server: PostgresServer;

beforeAll(async () => {
  // As durable as one of a shop.
  server = await startPostgres();
});

afterAll(() => server.stop());

test('8 sellers sell tens of thousands of tickets, each once, out of block after block', async () => {
  const block = await validBlock('eldorado-mini');
  const place = await newPostgresPlace(server);
  const database = await place.open();
  await database.prepare();
  for (let number = 1; number <= BLOCKS; number += 1) {
    const path = writeBlock(withClaims(block, { block: number }), newFolder());
    const loaded = await loadBlock(path, database, { game: block.game, onSale: true });
    expect(loaded.state).toBe('on sale');
  }
  await database.close();
  await expectSoldByEight(place, block, BLOCKS);
});
