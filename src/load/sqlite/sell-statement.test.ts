import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ticketsOf, validBlock, withClaims, type BlockCopy } from '../../testing/broken-blocks.js';
import { folderMaker } from '../../testing/sample-requests.js';
import {
  loadCopy,
  loadSample,
  newLab,
  rawConnection,
  rawExec,
  rawRows,
  sell,
  SELL_FILE,
  type SqliteLab,
} from '../../testing/sqlite-lab.js';

const makeFolder = folderMaker();

/** Sells all tickets that are left but for some, behind the back of the statement. */
function sellAllBut(path: string, left: number): void {
  const tickets = `
    select block_id, number from tickets join blocks using (block_id)
    where sale_reference is null
    order by block, number
    limit (select count(*) - ${left} from tickets where sale_reference is null)`;
  rawExec(
    path,
    `update tickets set sold_at = 'now', sale_reference = block_id || '-' || number
    where (block_id, number) in (${tickets})`,
  );
}

/** A database with two blocks of a game on sale, the later one loaded first. */
async function twoBlocks(): Promise<SqliteLab & { readonly block: BlockCopy }> {
  const lab = newLab(makeFolder());
  const block = await validBlock('collect-bare');
  // The tickets are those of the first one; a sale does not ask where they come from.
  await loadCopy(lab, withClaims(block, { block: 2 }), { onSale: true, trustHash: true });
  await loadCopy(lab, block, { onSale: true });
  return { ...lab, block };
}

describe('a sale', () => {
  test('takes the tickets in their order', async () => {
    const lab = newLab(makeFolder());
    const block = await loadSample(lab);
    const [first, second] = ticketsOf(block);
    expect(sell(lab.path, block, 'a')).toEqual({
      name: 'collect-bare-100-e1-b1',
      number: 1,
      prize_cents: first?.prize_cents,
      combination: first?.combination,
      grids: first?.grids.map((rows) => rows.join('/')).join('|'),
      sold_at: '2026-01-31T09:30:00.000Z',
      sale_reference: 'a',
    });
    expect(sell(lab.path, block, 'b')).toMatchObject({
      number: 2,
      prize_cents: second?.prize_cents,
    });
  });

  test('goes from block to block by their numbers, and ends with the last ticket', async () => {
    const { path, block } = await twoBlocks();
    sellAllBut(path, 601);
    expect(sell(path, block, 'end')).toMatchObject({ name: 'collect-bare-100-e1-b1', number: 600 });
    const states = 'select block, state from blocks order by block';
    expect(rawRows(path, states)).toEqual([
      { block: 1, state: 'sold out' },
      { block: 2, state: 'on sale' },
    ]);
    expect(sell(path, block, 'next')).toMatchObject({ name: 'collect-bare-100-e1-b2', number: 1 });
    sellAllBut(path, 0);
    expect(rawRows(path, states).map(({ state }) => state)).toEqual(['sold out', 'sold out']);
    expect(sell(path, block, 'none')).toBeUndefined();
  });

  test('is of the game and the stake that are asked for', async () => {
    const lab = newLab(makeFolder());
    const block = await loadSample(lab);
    const { game, stake } = block;
    expect(sell(lab.path, { game: { ...game, id: 'other' }, stake }, 'a')).toBeUndefined();
    const dearer = { ...stake, stakeCents: 200 };
    expect(sell(lab.path, { game, stake: dearer }, 'a')).toBeUndefined();
    expect(rawRows(lab.path, 'select * from tickets where sale_reference is not null')).toEqual([]);
  });

  test('leaves out a block that is not on sale', async () => {
    const { path, block } = await twoBlocks();
    rawExec(path, "update blocks set state = 'withdrawn' where block = 1");
    expect(sell(path, block, 'a')).toMatchObject({ name: 'collect-bare-100-e1-b2', number: 1 });
  });

  test.each(['sold out', 'withdrawn'])(
    'that is asked for again gives the same ticket, also of a block that is %s',
    async (state) => {
      const lab = newLab(makeFolder());
      const block = await loadSample(lab);
      const first = sell(lab.path, block, 'a', '2026-01-01T00:00:00.000Z');
      expect(sell(lab.path, block, 'a')).toEqual(first);
      if (state === 'sold out') sellAllBut(lab.path, 0);
      else rawExec(lab.path, "update blocks set state = 'withdrawn'");
      expect(rawRows(lab.path, 'select state from blocks')).toEqual([{ state }]);
      expect(sell(lab.path, block, 'a')).toEqual(first);
      expect(sell(lab.path, block, 'b')).toBeUndefined();
    },
  );

  test('that is rolled back leaves its ticket to the next one', async () => {
    const lab = newLab(makeFolder());
    const { game, stake } = await loadSample(lab);
    const database = rawConnection(lab.path);
    try {
      const statement = database.prepare(readFileSync(SELL_FILE, 'utf8'));
      const sale = (reference: string): unknown =>
        statement.get({ game: game.id, stake_cents: stake.stakeCents, reference, now: 'now' });
      database.exec('begin immediate');
      expect(sale('a')).toMatchObject({ number: 1 });
      database.exec('rollback');
      expect(sale('b')).toMatchObject({ number: 1 });
      expect(sale('a')).toMatchObject({ number: 2 });
    } finally {
      database.close();
    }
  });

  test.each(['', 'x'.repeat(201)])('needs a reference (%#)', async (reference) => {
    const lab = newLab(makeFolder());
    const block = await loadSample(lab);
    expect(() => sell(lab.path, block, reference)).toThrow(/^CHECK constraint failed: /);
  });
});

test('no sale goes through the tickets one by one', async () => {
  const lab = newLab(makeFolder());
  await loadSample(lab);
  const plan = rawRows(lab.path, `explain query plan ${readFileSync(SELL_FILE, 'utf8')}`);
  const steps = plan
    .map(({ detail }) => detail)
    .filter((step) => / (USING|SCAN) |^SCAN /.test(String(step)));
  expect(steps).toEqual([
    'SEARCH tickets USING PRIMARY KEY (block_id=? AND number=?)',
    'SEARCH tickets USING COVERING INDEX tickets_by_reference (sale_reference=?)',
    'SEARCH b USING COVERING INDEX blocks_on_sale (game=? AND stake_cents=?)',
    'SEARCH t USING INDEX tickets_unsold (block_id=?)',
    // One row: what the two lines before have found.
    'SCAN (subquery-2)',
    'SEARCH b USING INTEGER PRIMARY KEY (rowid=?)',
  ]);
  expect(plan.filter(({ detail }) => String(detail).includes('B-TREE'))).toEqual([]);
});
