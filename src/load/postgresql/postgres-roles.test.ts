import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { validBlock, withClaims, writeBlock, type BlockCopy } from '../../testing/broken-blocks.js';
import { newPostgresPlace, sellOver, type PostgresPlace } from '../../testing/postgres-place.js';
import { startPostgres, type PostgresServer } from '../../testing/postgres-server.js';
import { folderMaker } from '../../testing/sample-requests.js';
import { loadBlock } from '../load-block.js';
import { verifyStoredBlock } from '../verify-stored-block.js';
import { openPostgres } from './postgres-database.js';

const ROLES = fileURLToPath(new URL('../../../schemas/postgresql/roles.sql', import.meta.url));
const GAME = 'collect-bare';
const NAME = 'collect-bare-100-e1-b1';

const newFolder = folderMaker();

let server: PostgresServer;
let block: BlockCopy;

beforeAll(async () => {
  server = await startPostgres({ durable: false });
  block = await validBlock('collect-bare');
});

afterAll(() => server.stop());

/** Runs the script as an administrator does, and gives each role a user of the cluster. */
async function makeRoles(place: PostgresPlace): Promise<void> {
  const { url } = place;
  const made = spawnSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', url, '-f', ROLES], {
    encoding: 'utf8',
  });
  expect([made.status, made.stderr]).toEqual([0, '']);
  for (const [user, role] of [
    ['alice', 'loader'],
    ['bob', 'loader'],
    ['sally', 'seller'],
    ['audrey', 'auditor'],
    ['nobody_special', undefined],
  ] as const) {
    await place.run(`
      do $$ begin create role ${user} login password '${server.password}';
      exception when duplicate_object then null; end $$`);
    if (role !== undefined) await place.run(`grant gen_block_${role} to ${user}`);
  }
}

async function load(place: PostgresPlace, user: string | undefined, number: number): Promise<void> {
  const database = await openPostgres(
    user === undefined ? place.url : server.url(user, new URL(place.url).pathname.slice(1)),
  );
  try {
    await database.prepare();
    const path = writeBlock(withClaims(block, { block: number }), newFolder());
    await loadBlock(path, database, { game: block.game, onSale: true });
  } finally {
    await database.close();
  }
}

describe.each<[string, (place: PostgresPlace) => Promise<void>]>([
  [
    'before the first load',
    async (place) => {
      await makeRoles(place);
      await load(place, 'alice', 1);
    },
  ],
  [
    'after the first load, which was that of an administrator',
    async (place) => {
      await load(place, undefined, 1);
      await makeRoles(place);
    },
  ],
])('roles that were made %s', (_, prepare) => {
  let place: PostgresPlace;

  beforeAll(async () => {
    place = await newPostgresPlace(server);
    await prepare(place);
  });

  const query = (user: string, sql: string): Promise<number> =>
    place.with(async (client) => (await client.query(sql)).rowCount ?? 0, user);

  test('let every loader load, put on sale and withdraw', async () => {
    await load(place, 'bob', 2);
    await load(place, 'alice', 3);
    await query('bob', `select gen_block.withdraw('collect-bare-100-e1-b3')`);
    expect(await query('alice', `select from gen_block.blocks`)).toBe(3);
  });

  test('let sellers sell', async () => {
    await place.with(async (client) => {
      expect(await sellOver(client, GAME, 100, 'sale')).toBe(1);
      const sold = await client.query(`select * from gen_block.sold_ticket('sale')`);
      expect(sold.rows).toMatchObject([{ block: NAME, ticket: 1 }]);
    }, 'sally');
  });

  test.each([
    ['sally', 'select from gen_block.tickets'],
    ['sally', 'select from gen_block.tickets_1'],
    ['sally', 'select from gen_block.blocks'],
    ['sally', 'select from gen_block.sales'],
    ['sally', `update gen_block.tickets set sold_at = now(), sale_reference = 'x'`],
    ['sally', `select gen_block.withdraw('${NAME}')`],
    ['sally', `select gen_block.put_on_sale('${NAME}')`],
    ['sally', 'select gen_block.block_status()'],
    ['sally', 'copy gen_block.tickets_1 to stdout'],
    ['sally', `select gen_block.take_ticket(1, 1)`],
    ['sally', 'select gen_block.lowest_unsold(1, 1)'],
    ['sally', `select gen_block.mark_ticket(1, 1, 'x')`],
    ['sally', 'create table gen_block.mine ()'],
    ['audrey', `select gen_block.sell('${GAME}', 100, 'x')`],
    ['audrey', `select gen_block.sold_ticket('sale')`],
    ['audrey', `select gen_block.withdraw('${NAME}')`],
    ['audrey', `update gen_block.blocks set state = 'withdrawn'`],
    ['audrey', 'delete from gen_block.sales'],
    ['audrey', 'create table gen_block.mine ()'],
    ['nobody_special', 'select from gen_block.tickets'],
    ['nobody_special', `select gen_block.sell('${GAME}', 100, 'x')`],
    ['nobody_special', `select gen_block.grant_roles()`],
  ])('do not let %s: %s', async (user, sql) => {
    await expect(query(user, sql)).rejects.toMatchObject({ code: '42501' });
  });

  test('do not let sellers see what they would draw, by no statistics either', async () => {
    await place.run('analyze');
    const visible = await query(
      'sally',
      `select from pg_stats where schemaname = 'gen_block' and tablename like 'tickets%'`,
    );
    expect(visible).toBe(0);
  });

  test('let auditors verify, and see how far the sale is', async () => {
    const url = server.url('audrey', new URL(place.url).pathname.slice(1));
    for (const name of [NAME, 'collect-bare-100-e1-b3']) {
      const database = await openPostgres(url);
      const report = await verifyStoredBlock(name, database, block);
      await database.close();
      expect(report.conforms).toBe(true);
    }
    const database = await openPostgres(url);
    const status = await database.status();
    await database.close();
    expect(status.map(({ state, sold }) => [state, sold])).toEqual([
      ['on sale', 1],
      ['on sale', 0],
      ['withdrawn', 0],
    ]);
  });

  test('leave no function to everybody, and none but two to sellers', async () => {
    const { rows } = await place.with((client) =>
      client.query<{ readonly name: string }>(`
        select proname as name from pg_proc
          where pronamespace = 'gen_block'::regnamespace
            and (proacl is null or proacl::text ~ '[{,]=X|gen_block_seller=X') order by 1`),
    );
    expect(rows.map(({ name }) => name)).toEqual(['sell', 'sold_ticket']);
  });

  test('do not let sellers load: one line says what they lack', async () => {
    const url = server.url('sally', new URL(place.url).pathname.slice(1));
    const database = await openPostgres(url);
    await expect(database.prepare()).rejects.toThrow(
      /^cannot prepare postgres:\/\/127\.0\.0\.1:\d+\/\w+: the user lacks the right; give the role/,
    );
    await database.close();
  });
});

test('an administrator who is no superuser can make the roles', async () => {
  const place = await newPostgresPlace(server);
  const database = new URL(place.url).pathname.slice(1);
  for (const role of ['loader', 'seller', 'auditor']) {
    await place.run(`do $$ begin create role gen_block_${role};
      exception when duplicate_object then null; end $$`);
  }
  await place.run(`create role adam login createrole password '${server.password}'`);
  await place.run(`alter database ${database} owner to adam`);
  const url = server.url('adam', database);
  const made = spawnSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', url, '-f', ROLES], {
    encoding: 'utf8',
  });
  expect([made.status, made.stderr]).toEqual([0, '']);
  expect(
    await place.value(`select pg_get_userbyid(nspowner) from pg_namespace
    where nspname = 'gen_block'`),
  ).toBe('gen_block_loader');
});
