import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import {
  ticketsBytes,
  validBlock,
  withClaims,
  writeBlock,
  type BlockCopy,
} from '../../testing/broken-blocks.js';
import { postgresPlaces, sellOver, type PostgresPlace } from '../../testing/postgres-place.js';
import { startPostgres, type PostgresServer } from '../../testing/postgres-server.js';
import { expectSoldByEight } from '../../testing/postgres-sellers.js';
import { folderMaker } from '../../testing/sample-requests.js';
import { loadBlock } from '../load-block.js';
import { verifyStoredBlock } from '../verify-stored-block.js';

const newFolder = folderMaker();

let server: PostgresServer;
let newPlace: ReturnType<typeof postgresPlaces>;
let small: BlockCopy;
let place: PostgresPlace;

beforeAll(async () => {
  server = await startPostgres({ durable: false });
  newPlace = postgresPlaces(server);
  small = await validBlock('collect-bare');
});

afterAll(() => server.stop());

beforeEach(async () => {
  place = await newPlace();
});

/** Loads blocks of a game and puts them on sale; they are numbered from 1. */
async function putOnSale(block: BlockCopy, count = 1): Promise<void> {
  const database = await place.open();
  await database.prepare();
  for (let number = 1; number <= count; number += 1) {
    const path = writeBlock(withClaims(block, { block: number }), newFolder());
    await loadBlock(path, database, { game: block.game, onSale: true });
  }
  await database.close();
}

const GAME = 'collect-bare';
const sell = (reference: string, client?: pg.Client): Promise<number | undefined> =>
  client === undefined ? place.sell(GAME, 100, reference) : sellOver(client, GAME, 100, reference);

/** The ticket's text as the seller gets it after the sale; nothing where he gets none. */
async function soldTicket(reference: string, client: pg.Client): Promise<unknown> {
  const { rows } = await client.query('select * from gen_block.sold_ticket($1)', [reference]);
  return rows[0];
}

/** Two connections, each for one thing at a time. */
function withTwo<T>(work: (first: pg.Client, second: pg.Client) => Promise<T>): Promise<T> {
  return place.with((first) => place.with((second) => work(first, second)));
}

/** Whether something is still going on after a while. */
async function isWaiting(what: Promise<unknown>): Promise<boolean> {
  const pause = new Promise<true>((resolve) => {
    setTimeout(() => {
      resolve(true);
    }, 200);
  });
  return Promise.race([pause, what.then(() => false)]);
}

/** Sells all but some of the tickets of the only block. */
async function sellAllBut(left: number): Promise<void> {
  await place.run(`select gen_block.sell('${GAME}', 100, 'bulk' || i)
    from generate_series(1, ${small.game.blockSize - left}) i`);
}

describe('a sale', () => {
  test('takes the tickets in the order of the block', async () => {
    await putOnSale(small);
    expect([await sell('a'), await sell('b'), await sell('c')]).toEqual([1, 2, 3]);
  });

  test('gives the same ticket for the same reference, also when two ask at once', async () => {
    await putOnSale(small);
    expect([await sell('a'), await sell('a')]).toEqual([1, 1]);
    await withTwo(async (first, second) => {
      await first.query('begin');
      expect(await sell('b', first)).toBe(2);
      const retry = sell('b', second);
      expect(await isWaiting(retry)).toBe(true);
      await first.query('commit');
      expect(await retry).toBe(2);
    });
    expect(await place.value('select count(*) from gen_block.sales')).toBe('2');
  });

  test('does not wait for a sale that has another ticket in hand', async () => {
    await putOnSale(small);
    await withTwo(async (first, second) => {
      await first.query('begin');
      expect([await sell('a', first), await sell('b', second)]).toEqual([1, 2]);
      await first.query('commit');
    });
  });

  test('fills the gap of a sale that was rolled back', async () => {
    await putOnSale(small);
    await place.with(async (client) => {
      await client.query('begin');
      expect(await sell('a', client)).toBe(1);
      expect(await place.sell(GAME, 100, 'b')).toBe(2);
      await client.query('rollback');
    });
    expect([await sell('c'), await sell('d')]).toEqual([1, 3]);
  });

  test('begins behind what has been sold, and finds gaps there again', async () => {
    await putOnSale(small);
    await place.with(async (client) => {
      await client.query('begin');
      expect(await sell('held', client)).toBe(1);
      await place.run(
        `select gen_block.sell('${GAME}', 100, 's' || i) from generate_series(1, 300) i`,
      );
      // However long the held sale takes, nobody goes through what has been sold behind it.
      expect(await place.value('select (sold_below, draw_from) from gen_block.blocks')).toBe(
        '(1,257)',
      );
      await client.query('rollback');
    });
    expect(await sell('a')).toBe(302);
    await place.run(
      `select gen_block.sell('${GAME}', 100, 't' || i) from generate_series(1, 298) i`,
    );
    // Either one of these has looked for gaps and found it, or the last one does.
    expect([1, 600]).toContain(await sell('b'));
    expect(await place.value('select count(*) from gen_block.sales')).toBe('600');
    expect(await sell('c')).toBeUndefined();
    expect(await place.value('select state from gen_block.blocks')).toBe('sold out');
  });

  test('is one of very many in a transaction', async () => {
    await putOnSale(await validBlock('eldorado-mini'));
    const sold = await place.value(`select count(*) from (
      select gen_block.sell('eldorado-mini', 100, 's' || i) from generate_series(1, 9000) i) s`);
    expect(sold).toBe('9000');
  });

  test('does not take a wrong mark for the end of the block', async () => {
    await putOnSale(small);
    await place.run('update gen_block.blocks set sold_below = 601, draw_from = 601');
    await expect(sell('a')).rejects.toThrow(/sold_below is wrong; gen-block verify --from says so/);
    expect(await place.value('select state from gen_block.blocks')).toBe('on sale');
  });

  test('of another block goes on while a load, a verification and a withdrawal do', async () => {
    await putOnSale(small, 2);
    await withTwo(async (loader, reader) => {
      await loader.query('begin');
      await loader.query('create table gen_block.tickets_77 (like gen_block.ticket_form)');
      await reader.query('begin transaction isolation level repeatable read read only');
      await reader.query('select count(*) from gen_block.tickets_1');
      await place.run(`select gen_block.withdraw('collect-bare-100-e1-b1')`);
      expect(await sell('a')).toBe(1);
      await loader.query('rollback');
      await reader.query('rollback');
    });
  });

  test('waits for the last ticket where another sale has it in hand', async () => {
    await putOnSale(small);
    await sellAllBut(1);
    await withTwo(async (first, second) => {
      await first.query('begin');
      expect(await sell('a', first)).toBe(600);
      const other = sell('b', second);
      expect(await isWaiting(other)).toBe(true);
      await first.query('rollback');
      expect(await other).toBe(600);
    });
    expect(await sell('c')).toBeUndefined();
    expect(await place.value('select state from gen_block.blocks')).toBe('sold out');
  });

  test('goes on with the next block, and ends with the last', async () => {
    await putOnSale(small, 2);
    await sellAllBut(0);
    expect(await sell('a')).toBe(1);
    const block = await place.value(
      `select block from gen_block.sell('${GAME}', 100, 'b') where ticket = 2`,
    );
    expect(block).toBe('collect-bare-100-e1-b2');
    expect(await place.value('select state from gen_block.blocks where block = 1')).toBe(
      'sold out',
    );
  });

  test.each<[string, string, string]>([
    ['another game', `'other', 100, 'a'`, 'has been used for another game or stake'],
    ['another stake', `'${GAME}', 200, 'a'`, 'has been used for another game or stake'],
    ['an empty reference', `'${GAME}', 100, ''`, 'a sale reference has 1 to 200 characters'],
    ['no reference', `'${GAME}', 100, null`, 'a sale reference has 1 to 200 characters'],
    ['a long reference', `'${GAME}', 100, repeat('x', 201)`, '1 to 200 characters'],
  ])('is refused for %s', async (_, parameters, words) => {
    await putOnSale(small);
    await sell('a');
    await expect(place.run(`select gen_block.sell(${parameters})`)).rejects.toThrow(words);
    expect(await place.value('select count(*) from gen_block.sales')).toBe('1');
  });

  test('needs a block that is on sale', async () => {
    await putOnSale(small);
    expect(await place.sell(GAME, 200, 'a')).toBeUndefined();
    await place.run(`select gen_block.withdraw('collect-bare-100-e1-b1')`);
    expect(await sell('a')).toBeUndefined();
  });

  test('shows what a ticket has won only once it has been committed', async () => {
    await putOnSale(small);
    await withTwo(async (seller, other) => {
      await seller.query('begin');
      await sell('a', seller);
      expect(await soldTicket('a', seller)).toBeUndefined();
      await seller.query('savepoint s');
      await sell('b', seller);
      await seller.query('release s');
      expect(await soldTicket('b', seller)).toBeUndefined();
      expect(await soldTicket('a', other)).toBeUndefined();
      await seller.query('commit');
      expect(await soldTicket('a', seller)).toMatchObject({
        block: 'collect-bare-100-e1-b1',
        game: GAME,
        ticket: 1,
      });
      expect(await soldTicket('b', other)).toMatchObject({ ticket: 2 });
    });
  });
});

describe('a withdrawn block', () => {
  test.each(['attached', 'detached'])(
    'that is %s keeps its sold tickets, its status, its guards, and can be verified',
    async (how) => {
      await putOnSale(small);
      await sell('a');
      await place.run(`select gen_block.withdraw('collect-bare-100-e1-b1')`);
      if (how === 'detached') {
        await place.run(`select gen_block.detach('collect-bare-100-e1-b1')`);
        await place.run(`select gen_block.detach('collect-bare-100-e1-b1')`);
        expect(await place.value('select count(*) from gen_block.tickets')).toBe('0');
      }
      expect(await place.with((client) => soldTicket('a', client))).toMatchObject({ ticket: 1 });
      expect(await sell('a')).toBe(1);
      expect(await sell('b')).toBeUndefined();
      await expect(place.run('update gen_block.tickets_1 set prize_cents = 1')).rejects.toThrow(
        'a ticket never changes',
      );
      await expect(place.run('truncate gen_block.tickets_1')).rejects.toThrow('never deleted');
      const database = await place.open();
      const status = await database.status();
      expect(status).toMatchObject([{ state: 'withdrawn', tickets: 600, sold: 1 }]);
      const report = await verifyStoredBlock('collect-bare-100-e1-b1', database, small);
      expect(report.findings).toEqual([]);
      await database.close();
    },
  );

  test('can be verified while it is withdrawn and detached', async () => {
    await putOnSale(small);
    const database = await place.open();
    const stored = await database.open('collect-bare-100-e1-b1');
    await place.run(`select gen_block.withdraw('collect-bare-100-e1-b1')`);
    await place.run(`select gen_block.detach('collect-bare-100-e1-b1')`);
    const pieces: Uint8Array[] = [];
    for await (const bytes of stored.csv()) pieces.push(bytes);
    expect(Buffer.concat(pieces).equals(ticketsBytes(small, 'csv'))).toBe(true);
    await database.close();
  });

  test('waits for the sales in hand, and none comes after it', async () => {
    await putOnSale(small);
    await withTwo(async (seller, operator) => {
      await seller.query('begin');
      await sell('a', seller);
      const withdrawal = operator.query(`select gen_block.withdraw('collect-bare-100-e1-b1')`);
      expect(await isWaiting(withdrawal)).toBe(true);
      const late = sell('b');
      expect(await isWaiting(late)).toBe(true);
      await seller.query('commit');
      await withdrawal;
      expect(await late).toBeUndefined();
    });
    expect(await place.value('select count(*) from gen_block.sales')).toBe('1');
  });

  test('is detached only where that does not take long', async () => {
    await putOnSale(small, 2);
    await place.run(`select gen_block.withdraw('collect-bare-100-e1-b1')`);
    await place.with(async (seller) => {
      await seller.query('begin');
      await sell('a', seller);
      await expect(
        place.run(`select gen_block.detach('collect-bare-100-e1-b1')`),
      ).rejects.toMatchObject({ code: '55P03' });
      await seller.query('commit');
    });
    await place.run(`select gen_block.detach('collect-bare-100-e1-b1')`);
    await expect(place.run(`select gen_block.detach('collect-bare-100-e1-b2')`)).rejects.toThrow(
      'there is no withdrawn block',
    );
  });
});

describe('whoever writes', () => {
  test.each<[string, string, string]>([
    ['change a prize', 'update gen_block.tickets set prize_cents = 1', 'a ticket never changes'],
    ['change a grid', `update gen_block.tickets_1 set grids = 'A'`, 'a ticket never changes'],
    [
      'take a sale back',
      'update gen_block.tickets set sold_at = null, sale_reference = null',
      'a sold ticket stays sold',
    ],
    [
      'give a sale away',
      `update gen_block.tickets set sale_reference = 'z' where number = 1`,
      'a sold ticket stays sold',
    ],
    [
      'delete a ticket',
      'delete from gen_block.tickets where number = 2',
      'a ticket is never deleted',
    ],
    ['delete a sale', 'delete from gen_block.sales', 'a sale is never undone'],
    ['change a sale', 'update gen_block.sales set number = 3', 'a sale is never undone'],
    ['delete a block', 'delete from gen_block.blocks', 'a block is never deleted; withdraw it'],
    ['change a manifest', `update gen_block.blocks set manifest = '{}'`, 'a block never changes'],
    [
      'open a block again',
      `update gen_block.blocks set state = 'loaded'`,
      'a block goes from loaded to on sale',
    ],
    [
      'sell without a reference',
      'update gen_block.tickets set sold_at = now() where number = 2',
      'sold_with_reference',
    ],
    [
      'sell a ticket twice',
      `insert into gen_block.sales values ('z', 1, 1, now())`,
      'sales_block_id_number_key',
    ],
  ])('cannot %s', async (_, sql, words) => {
    await putOnSale(small);
    await sell('a');
    await expect(place.run(sql)).rejects.toThrow(words);
  });

  test('can put a block on sale twice', async () => {
    await putOnSale(small);
    await place.run(`select gen_block.put_on_sale('collect-bare-100-e1-b1')`);
    expect(await place.value('select state from gen_block.blocks')).toBe('on sale');
  });

  test.each<[string, string, string]>([
    ['stake', 'update gen_block.blocks set stake_cents = 50', 'database-entry'],
    ['emission', 'update gen_block.blocks set emission = 9', 'database-entry'],
    ['size', 'update gen_block.blocks set tickets = 5', 'database-entry'],
    ['hash', `update gen_block.blocks set csv_sha256 = repeat('0', 64)`, 'database-entry'],
    [
      'manifest hash',
      `update gen_block.blocks set manifest_sha256 = repeat('0', 64)`,
      'database-entry',
    ],
    ['mark', 'update gen_block.blocks set sold_below = 400', 'sales'],
    ['sale of another block', `update gen_block.sales set block_id = 99`, 'sales'],
    ['trigger', 'alter table gen_block.tickets_1 disable trigger sold_stays_sold', 'sales'],
    ['key', 'alter table gen_block.sales drop constraint sales_pkey', 'sales'],
    ['key of tickets', 'alter table gen_block.tickets drop constraint tickets_pkey', 'sales'],
    [
      'function',
      `create or replace function gen_block.lowest_unsold(p_block_id integer, p_from integer)
      returns integer language sql as 'select 1'`,
      'sales',
    ],
    [
      'new function',
      `create function gen_block.peek() returns integer language sql as 'select 1'`,
      'sales',
    ],
  ])('cannot hide another %s from a verification', async (_, sql, code) => {
    await putOnSale(small);
    await sell('a');
    await place.with(async (client) => {
      await client.query('set session_replication_role = replica');
      await client.query(sql);
    });
    const database = await place.open();
    const report = await verifyStoredBlock('collect-bare-100-e1-b1', database, small);
    await database.close();
    expect(report.findingCounts.map((finding) => finding.code)).toContain(code);
  });

  test('leaves traces that verification finds', async () => {
    await putOnSale(small);
    await sell('a');
    await place.run(`alter table gen_block.sales disable trigger all; delete from gen_block.sales`);
    await place.run(`alter table gen_block.blocks disable trigger all;
      update gen_block.blocks set state = 'sold out'`);
    await place.run(`alter table gen_block.tickets_1 disable trigger all;
      update gen_block.tickets_1 set grids = overlay(grids placing 'Z' from 1) where number = 7`);
    const database = await place.open();
    const report = await verifyStoredBlock('collect-bare-100-e1-b1', database, small);
    await database.close();
    expect(
      report.findings.filter(({ code }) => code === 'sales').map(({ found }) => found),
    ).toEqual([
      'tickets whose sale is another than the list of sales says: 1',
      'tickets left, though the block is sold out: 599',
      'the trigger ticket_comes_with_its_block of gen_block.tickets_1 is missing or disabled',
      'the trigger ticket_never_changes of gen_block.tickets_1 is missing or disabled',
      'the trigger sold_stays_sold of gen_block.tickets_1 is missing or disabled',
    ]);
    const codes = report.findingCounts.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['symbol', 'file-hash']));
  });
});

test('8 sellers at once sell every ticket once, through cuts, retries and rollbacks', async () => {
  // The long run has tens of thousands of tickets.
  const block = await validBlock('rows-plain');
  await putOnSale(block);
  await expectSoldByEight(place, block, 1);
});
