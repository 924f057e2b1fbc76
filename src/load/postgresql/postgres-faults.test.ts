import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { validBlock, writeBlock, type BlockCopy } from '../../testing/broken-blocks.js';
import {
  resultOf,
  runInside,
  startProcess,
  type CommandResult,
} from '../../testing/command-line.js';
import {
  newPostgresPlace,
  postgresPlaces,
  type PostgresPlace,
} from '../../testing/postgres-place.js';
import { startPostgres, type PostgresServer } from '../../testing/postgres-server.js';
import { definitionPath, folderMaker } from '../../testing/sample-requests.js';
import { loadBlock } from '../load-block.js';
import { connectPostgres } from './postgres-connection.js';
import { openPostgres } from './postgres-database.js';
import { postgresMigrations } from './postgres-schema.js';

const newFolder = folderMaker();
const NAME = 'collect-bare-100-e1-b1';

let server: PostgresServer;
let newPlace: ReturnType<typeof postgresPlaces>;
let folder: string;
let block: BlockCopy;
let place: PostgresPlace;

beforeAll(async () => {
  server = await startPostgres({ durable: false });
  newPlace = postgresPlaces(server);
  block = await validBlock('collect-bare');
  folder = writeBlock(block, newFolder());
});

afterAll(() => server.stop());

beforeEach(async () => {
  place = await newPlace();
  const database = await place.open();
  await database.prepare();
  await database.close();
});

const DEFINITION = ['--definition', definitionPath('collect-bare')];

const loadArgv = (): readonly string[] => ['load', folder, ...DEFINITION, '--to', 'postgres://'];

/** Starts to load the block in a process of its own, which can be killed. */
function startLoad(): ReturnType<typeof startProcess> {
  return startProcess(loadArgv(), { env: pgEnv(place.url) });
}

/** Loads the block by the same command within the test. */
async function loadInside(env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  return runInside(loadArgv(), { ...pgEnv(place.url), ...env });
}

/** A connection by the variables that PostgreSQL's own programs know, too. */
function pgEnv(url: string): Readonly<Record<string, string>> {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
  };
}

/** Waits until so many of the program's connections wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  await until(`
    select count(*) = ${count} from pg_stat_activity
      where application_name = 'gen-block' and wait_event_type = 'Lock'
        and datname = current_database()`);
}

/** Waits until a query says true, over connections of its own; a test that waits for ever fails. */
async function until(sql: string): Promise<void> {
  while ((await place.value(sql)) !== 'true') await setTimeout(10);
}

/**
 * Does something while loaders wait with everything sent and nothing committed: the parent of the
 * partitions is locked.
 */
async function whileLoadersWait(
  count: number,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  await place.with(async (client) => {
    await client.query('begin');
    await client.query('lock table gen_block.tickets in share update exclusive mode');
    await untilWaiting(count);
    await work(client);
    await client.query('rollback').catch(() => undefined);
  });
}

async function expectNothingThere(): Promise<void> {
  expect(await place.value('select count(*) from gen_block.blocks')).toBe('0');
  // The server may still have to find out that nobody is there any more.
  await until(`
    select count(*) = 0 from pg_class
      where relnamespace = 'gen_block'::regnamespace and relname ~ '^tickets_[0-9]+$'`);
}

async function expectRerunCompletes(): Promise<void> {
  const { exitCode, stderr } = await loadInside();
  expect(stderr).toMatch(/^gen-block: collect-bare-100-e1-b1: 600 tickets loaded into postgres:/);
  expect(exitCode).toBe(0);
  expect(await place.value('select count(*) from gen_block.tickets')).toBe('600');
}

describe('nothing of a block stays, and a rerun completes, after', () => {
  test('the loader was killed', async () => {
    const loader = startLoad();
    const ended = once(loader, 'close');
    await whileLoadersWait(1, async () => {
      loader.kill('SIGKILL');
      await ended;
    });
    await expectNothingThere();
    await expectRerunCompletes();
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('the loader was stopped by %s', async (signal, code) => {
    const loader = startLoad();
    const result = resultOf(loader);
    await whileLoadersWait(1, async () => {
      loader.kill(signal);
      const { exitCode, stderr } = await result;
      expect(stderr).toBe(`gen-block: stopped by ${signal}; nothing of ${folder} was loaded\n`);
      expect(exitCode).toBe(code);
    });
    await expectNothingThere();
    await expectRerunCompletes();
  });

  test('the server ended the connection', async () => {
    const result = loadInside();
    await whileLoadersWait(1, async (client) => {
      await client.query(`
        select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gen-block'`);
      const { exitCode, stderr } = await result;
      expect(stderr).toMatch(
        /^gen-block: cannot load into postgres:.*: the server ended the connection; run it again when it is up\n$/,
      );
      expect(exitCode).toBe(3);
    });
    await expectNothingThere();
    await expectRerunCompletes();
  });

  test('the server refused a ticket in the middle', async () => {
    await place.run('alter table gen_block.ticket_form add constraint few check (number < 500)');
    const { exitCode, stderr } = await loadInside();
    // The server's own words would show the row.
    expect(stderr).toMatch(
      /: collect-bare-100-e1-b1 was not loaded: the database refuses its .* \(SQLSTATE 23514\); gen-block/,
    );
    expect(stderr).not.toMatch(/500|few/);
    expect(exitCode).toBe(2);
    await place.run('alter table gen_block.ticket_form drop constraint few');
    await expectNothingThere();
    await expectRerunCompletes();
  });

  test('the server was killed', async () => {
    const result = loadInside();
    await whileLoadersWait(1, async () => {
      await server.kill();
      const { exitCode, stderr } = await result;
      expect(stderr).toMatch(
        /^gen-block: cannot load into postgres:.*: the connection was cut; run it again\n$/,
      );
      expect(exitCode).toBe(3);
    });
    await server.restart();
    await expectNothingThere();
    await expectRerunCompletes();
  });
});

/** Waits for the commit that sleeps: an earlier one, long over, stays the last query of an idle connection. */
async function untilCommitting(): Promise<void> {
  await until(`select count(*) = 1 from pg_stat_activity
    where application_name = 'gen-block' and datname = current_database()
      and query = 'commit' and state = 'active' and wait_event = 'PgSleep'`);
}

test('a signal that comes while the block is committed comes too late', async () => {
  await place.run(`
    create or replace function slow() returns trigger language plpgsql as 'begin perform pg_sleep(1); return null; end';
    create constraint trigger slow after insert on gen_block.blocks deferrable initially deferred
      for each row execute function slow()`);
  const loader = startLoad();
  const result = resultOf(loader);
  await untilCommitting();
  loader.kill('SIGTERM');
  const { exitCode, stderr } = await result;
  expect(stderr).toMatch(/^gen-block: collect-bare-100-e1-b1: 600 tickets loaded into postgres:/);
  expect(stderr).toMatch(
    /\ngen-block: stopped by a signal; the blocks after this one were not loaded\n$/,
  );
  expect(exitCode).toBe(143);
  expect(await place.value('select count(*) from gen_block.blocks')).toBe('1');
});

test('a connection that is cut while the block is committed leaves it open, and says so', async () => {
  await place.run(`
    create or replace function slow() returns trigger language plpgsql as 'begin perform pg_sleep(30); return null; end';
    create constraint trigger slow after insert on gen_block.blocks deferrable initially deferred
      for each row execute function slow()`);
  const result = loadInside();
  await untilCommitting();
  await place.run(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'gen-block' and datname = current_database()`);
  const { exitCode, stderr } = await result;
  expect(stderr).toMatch(
    /the connection was cut at that moment, so it may be done or not; run it again/,
  );
  expect(exitCode).toBe(3);
});

test('servers that end what is idle are asked not to: verifying a large block takes a while', async () => {
  const names = ['idle_session_timeout', 'idle_in_transaction_session_timeout'];
  const limits = names.map((name) => `-c ${name}=60000`).join(' ');
  const { client } = await connectPostgres(`${place.url}?options=${encodeURIComponent(limits)}`);
  for (const name of names) {
    const { rows } = await client.query<{ readonly setting: string; readonly reset_val: string }>(
      'select setting, reset_val from pg_settings where name = $1',
      [name],
    );
    expect([name, rows]).toEqual([name, [{ setting: '0', reset_val: '60000' }]]);
  }
  await client.end();
});

test('two loaders at once: one loads, the other finds the block there', async () => {
  const loaders = [resultOf(startLoad()), resultOf(startLoad())];
  await whileLoadersWait(2, () => Promise.resolve());
  const results = await Promise.all(loaders);
  expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const said = results.map(({ stderr }) => stderr).sort();
  expect(said).toEqual([
    expect.stringMatching(/^gen-block: collect-bare-100-e1-b1: 600 tickets loaded/),
    expect.stringMatching(/^gen-block: collect-bare-100-e1-b1: \S+ has this very block already/),
  ]);
  expect(await place.value('select count(*) from gen_block.tickets')).toBe('600');
});

test('so it is where serializable is the default', async () => {
  await place.run(`do $$ begin execute format(
    'alter database %I set default_transaction_isolation = serializable', current_database()); end $$`);
  const loading = async (): Promise<boolean> => {
    const database = await place.open();
    const { isNew } = await loadBlock(folder, database, { game: block.game });
    await database.close();
    return isNew;
  };
  const loaders = [loading(), loading()];
  await whileLoadersWait(2, () => Promise.resolve());
  expect((await Promise.all(loaders)).sort()).toEqual([false, true]);
  expect(await place.value('select count(*) from gen_block.tickets')).toBe('600');
  await place.run(`do $$ begin execute format(
    'alter database %I reset default_transaction_isolation', current_database()); end $$`);
});

test('two that make the schema at once make it once', async () => {
  const fresh = await newPostgresPlace(server);
  const opened = await Promise.all([fresh.open(), fresh.open(), fresh.open()]);
  await Promise.all(opened.map((database) => database.prepare()));
  await Promise.all(opened.map((database) => database.close()));
  expect(await fresh.value('select count(*) from gen_block.schema_versions')).toBe('1');
});

describe('the schema', () => {
  const next = `alter table gen_block.blocks add remark text;
    insert into gen_block.schema_versions (version) values (2)`;
  const later = [...postgresMigrations(), next];

  test('of an earlier version is brought up to date by a load, and by nothing else', async () => {
    const database = await openPostgres(place.url, { migrations: later });
    await expect(database.status()).rejects.toThrow(
      /has schema version 1, made by an earlier version .*; gen-block load brings it up to date$/,
    );
    await database.prepare();
    await database.prepare();
    expect(await database.status()).toEqual([]);
    await database.close();
    expect(await place.value('select max(version) from gen_block.schema_versions')).toBe('2');
  });

  test('of a later version is left alone', async () => {
    const database = await openPostgres(place.url, { migrations: later });
    await database.prepare();
    await database.close();
    const older = await place.open();
    const words =
      /has schema version 2, made by a later version of .*, which knows 1; update gen-block$/;
    await expect(older.prepare()).rejects.toThrow(words);
    await expect(older.status()).rejects.toThrow(words);
    await expect(older.open(NAME)).rejects.toThrow(words);
    await older.close();
  });

  test('is whole or not there: a migration that fails leaves the one before', async () => {
    const migrations = [...postgresMigrations(), `${next}; select 1 / 0`];
    const database = await openPostgres(place.url, { migrations });
    await expect(database.prepare()).rejects.toThrow(/PostgreSQL said SQLSTATE 22012/);
    await database.close();
    expect(await place.value('select max(version) from gen_block.schema_versions')).toBe('1');
  });
});

test('a password on the command line is warned of, and shown nowhere', async () => {
  const child = startProcess(['load', folder, ...DEFINITION, '--to', place.url]);
  const { exitCode, stderr, stdout } = await resultOf(child);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(
    /^gen-block: others on this machine can read the password on the command line; use PGPASSWORD/,
  );
  expect(stderr + stdout).not.toContain(server.password);
});

describe('a server that cannot be used is told in one line:', () => {
  const refusals: readonly (readonly [string, () => string, RegExp])[] = [
    [
      'a wrong password',
      () => place.url.replace(/:[^:@/]+@/, ':wrong-secret@'),
      /: user or password is refused; set PGUSER and PGPASSWORD, or a password file \(PGPASSFILE\)$/,
    ],
    [
      'an unknown database',
      () => place.url.replace(/[^/]+$/, 'nowhere'),
      /: there is no such database; make it \(createdb\), or name another$/,
    ],
    [
      'a port where nobody is',
      () => place.url.replace(/:\d+\//, ':4/'),
      /: nothing listens there; check host and port, and that the server runs$/,
    ],
    [
      'a URL that cannot be read',
      () => 'postgres://user:secret@[nonsense:x/db',
      /^the database URL cannot be read; write postgres:\/\/user@host:port\/database, with/,
    ],
    [
      'a password with a slash, which must be written otherwise',
      () => 'postgres://user:123/secret@db.example/sales',
      /^the database URL cannot be read; write postgres:\/\/user@host:port\/database, with %40 for @ and/,
    ],
    [
      'a port that is none',
      () => place.url.replace(/:\d+\//, ':99999/'),
      /^the database URL cannot be read; /,
    ],
    [
      'an unknown sslmode',
      () => `${place.url}?sslmode=bogus`,
      /^there is no sslmode bogus; write verify-full, no-verify or disable$/,
    ],
    [
      'a certificate that is not there',
      () => `${place.url}?sslmode=require&sslrootcert=/nowhere`,
      /^a file of sslrootcert, sslcert or sslkey is not there; check the paths$/,
    ],
    [
      'a name that would steer the terminal',
      () => place.url.replace(/[^/]+$/, 'x%1b%5b31mred'),
      /\/x\\u\{1b\}\[31mred: there is no such database; /,
    ],
    [
      'TLS that the server does not speak',
      () => `${place.url}?sslmode=no-verify`,
      /: the server does not speak TLS; set it up there, or take sslmode out$/,
    ],
  ];

  test.each(refusals)('%s', async (_, url, words) => {
    const error: unknown = await openPostgres(url()).catch((reason: unknown) => reason);
    const { message } = error as Error;
    expect(message).toMatch(words);
    expect(message).not.toMatch(/secret|\n/);
    expect(message).not.toContain('\u001b');
  });

  test.each([
    [
      'PGSERVICE',
      'sales',
      /PGSERVICE is not read; set PGHOST, PGPORT, PGUSER, PGDATABASE in its place$/,
    ],
    ['PGPORT', 'abc', /the port of the database is no number; check PGPORT$/],
  ])('%s=%s', async (name, value, words) => {
    const { exitCode, stderr } = await loadInside({ [name]: value });
    expect(exitCode).toBe(2);
    expect(stderr.trimEnd()).toMatch(words);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  test('a schema of the same name that is of somebody else', async () => {
    const fresh = await newPostgresPlace(server);
    await fresh.run('create schema gen_block; create table gen_block.blocks (mine text)');
    const database = await fresh.open();
    const words = /has a schema gen_block of another program; choose another database$/;
    await expect(database.prepare()).rejects.toThrow(words);
    await expect(database.status()).rejects.toThrow(words);
    await database.close();
  });

  test('no blocks yet', async () => {
    const fresh = await newPostgresPlace(server);
    const database = await fresh.open();
    await expect(database.status()).rejects.toThrow(/^there are no blocks in .*; load one first$/);
    await database.close();
  });
});
