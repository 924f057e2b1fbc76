import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { build } from 'esbuild';
import pg from 'pg';
import { findFreePort, startPostgres, type PostgresServer } from './postgres-server.js';
import { folderMaker } from './sample-requests.js';

jest.setTimeout(120_000);
const newFolder = folderMaker();
const NOBODY_LISTENS = { code: 'ECONNREFUSED' };

/** The rows that a database answers a query with. */
async function ask(url: string, query: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  // A server that is killed ends its connections, which would end the test otherwise.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: query, rowMode: 'array' });
    return rows;
  } finally {
    await client.end();
  }
}

/** The number of the server's main process, as its data folder has it. */
function postmasterOf({ logPath }: PostgresServer): number {
  const text = readFileSync(join(dirname(logPath), 'data/postmaster.pid'), 'latin1');
  return Number.parseInt(text, 10);
}

/** The addresses that a port is listened on, in the system's hexadecimal. */
function listenersOn(port: number): readonly string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, 'latin1').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(end) && state === '0A')
    .map(([, local = '']) => local.slice(0, -end.length));
}

/** Has somebody hold a port until the end of the work, who takes connections and says nothing. */
async function withTakenPort(work: (port: number) => Promise<void>, port = 0): Promise<void> {
  const connections: Socket[] = [];
  const holder = createServer((connection) => {
    connections.push(connection.on('error', () => undefined));
  });
  holder.listen(port, '127.0.0.1');
  await once(holder, 'listening');
  try {
    await work((holder.address() as AddressInfo).port);
  } finally {
    const closed = once(holder.close(), 'close');
    for (const connection of connections) connection.destroy();
    await closed;
  }
}

/** How often the server has found its port taken. */
function refusalsIn({ logPath }: PostgresServer): number {
  return readFileSync(logPath, 'utf8').split('could not bind').length - 1;
}

/** The pieces of shared memory that there are on the machine, by their numbers. */
function sharedMemories(): readonly string[] {
  const lines = readFileSync('/proc/sysvipc/shm', 'latin1').split('\n');
  return lines.map((line) => line.trim().split(/\s+/)[1] ?? '');
}

/** Stops a server, and looks for its processes, its files and its memory. */
async function expectNothingLeftOf(server: PostgresServer): Promise<void> {
  const folder = dirname(server.logPath);
  const pid = postmasterOf(server);
  const lockFile = readFileSync(join(folder, 'data/postmaster.pid'), 'latin1').split('\n');
  const memory = lockFile[6]?.trim().split(/\s+/)[1];
  expect(sharedMemories()).toContain(memory);
  await server.stop();
  expect([existsSync(folder), existsSync(`/proc/${pid}`)]).toEqual([false, false]);
  expect(sharedMemories()).not.toContain(memory);
  await expect(ask(server.adminUrl, 'select 1')).rejects.toMatchObject(NOBODY_LISTENS);
}

describe('a server', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
  });

  afterAll(async () => {
    await server.stop();
  });

  test('answers its superuser', async () => {
    expect(await ask(server.adminUrl, 'select 1, current_user, current_database()')).toEqual([
      [1, 'postgres', 'postgres'],
    ]);
    expect(server.url()).toBe(server.adminUrl);
    const [[version]] = (await ask(server.adminUrl, 'show server_version_num')) as [[string]];
    expect(Number(version)).toBeGreaterThanOrEqual(130_000);
  });

  test('is as safe as one of a shop, and sorts by code unit', async () => {
    const names = ['fsync', 'full_page_writes', 'server_encoding', 'unix_socket_directories'];
    const settings = names.map((name) => `current_setting('${name}')`);
    const collation = 'select datcollate from pg_database where datname = current_database()';
    const query = `select ${settings.join(', ')}, (${collation})`;
    expect(await ask(server.adminUrl, query)).toEqual([['on', 'on', 'UTF8', '', 'C']]);
  });

  test('listens on 127.0.0.1 only', () => {
    expect(listenersOn(server.port)).toEqual(['0100007F']);
  });

  test('does not run as root, and nobody else can read its files', () => {
    const { uid } = statSync(`/proc/${postmasterOf(server)}`);
    const own = process.getuid?.();
    expect(uid).not.toBe(0);
    if (own !== 0) expect(uid).toBe(own);
    const folder = statSync(dirname(server.logPath));
    expect([folder.uid, folder.mode & 0o777]).toEqual([uid, 0o700]);
    expect(statSync(server.logPath).mode & 0o777).toBe(0o600);
    expect(existsSync(join(dirname(server.logPath), 'password'))).toBe(false);
  });

  test('lets in nobody without the password', async () => {
    const wrong = server.adminUrl.replace(server.password, 'wrong');
    await expect(ask(wrong, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  test('lets in a role that a test makes', async () => {
    const url = await server.newDatabase();
    await ask(url, `create role "a cashier" login password '${server.password}'`);
    const name = new URL(url).pathname.slice(1);
    expect(await ask(server.url('a cashier', name), 'select current_user')).toEqual([
      ['a cashier'],
    ]);
  });

  test('makes each database anew', async () => {
    const urls = [await server.newDatabase(), await server.newDatabase()];
    for (const url of urls) {
      await ask(url, 'create table sale (ticket integer)');
      await ask(url, 'insert into sale values (1)');
    }
    expect(await Promise.all(urls.map(async (url) => ask(url, 'table sale')))).toEqual([
      [[1]],
      [[1]],
    ]);
  });
});

test.each([
  { durable: true, end: 'running' },
  { durable: false, end: 'killed' },
])(
  'a server (durable: $durable) keeps what was committed over a kill, and leaves nothing when stopped $end',
  async ({ durable, end }) => {
    const server = await startPostgres({ durable });
    try {
      const url = await server.newDatabase();
      await ask(url, 'create table sale (ticket integer); insert into sale values (7)');
      const open = new pg.Client({ connectionString: url });
      const isCut = once(open, 'error');
      await open.connect();
      await open.query('begin; insert into sale values (8)');
      const before = postmasterOf(server);
      await server.kill();
      await isCut;
      expect(existsSync(`/proc/${before}`)).toBe(false);
      await expect(ask(url, 'select 1')).rejects.toMatchObject(NOBODY_LISTENS);

      // The first time after a kill, the second time while it runs.
      for (const time of ['first', 'second']) {
        await server.restart();
        expect([time, await ask(url, 'table sale')]).toEqual([time, [[7]]]);
      }
      expect(postmasterOf(server)).not.toBe(before);
      expect(await ask(url, 'show fsync')).toEqual([[durable ? 'on' : 'off']]);
      if (end === 'killed') await server.kill();
      await expectNothingLeftOf(server);
    } finally {
      await server.stop();
    }
  },
);

test('tries another port where one is taken, but waits for its own at a restart', async () => {
  const tried: number[] = [];
  let started: PostgresServer | undefined;
  await withTakenPort(async (taken) => {
    const findPort = async (): Promise<number> => {
      const port = tried.length === 0 ? taken : await findFreePort();
      tried.push(port);
      return port;
    };
    started = await startPostgres({ findPort });
    expect(tried).toEqual([taken, started.port]);
  });
  const server = started!;
  try {
    expect(await ask(server.adminUrl, 'select 1')).toEqual([[1]]);
    await server.kill();
    let restarted: Promise<void> | undefined;
    await withTakenPort(async () => {
      const refusals = refusalsIn(server);
      restarted = server.restart();
      while (refusalsIn(server) === refusals) await setTimeout(20);
    }, server.port);
    await restarted;
    expect(await ask(server.adminUrl, 'select 1')).toEqual([[1]]);
  } finally {
    await server.stop();
  }
});

test('goes away by itself where the process of the tests is killed', async () => {
  const outfile = join(newFolder(), 'server.cjs');
  const entry = fileURLToPath(new URL('postgres-server.ts', import.meta.url));
  const file = { entryPoints: [entry], outfile, external: ['pg-native'] };
  await build({ ...file, bundle: true, platform: 'node', format: 'cjs', logLevel: 'warning' });
  const program = `
    require(process.argv[1]).startPostgres().then(({ logPath, port }) => {
      console.log(JSON.stringify({ logPath, port }));
      setInterval(() => undefined, 1000);
    });
  `;
  const child = spawn(process.execPath, ['-e', program, outfile], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const server = JSON.parse(said.toString()) as PostgresServer;
  const pid = postmasterOf(server);
  expect(listenersOn(server.port)).toHaveLength(1);
  child.kill('SIGKILL');
  const traces = [dirname(server.logPath), `/proc/${pid}`];
  while (traces.some((path) => existsSync(path))) await setTimeout(20);
  expect(traces.filter((path) => existsSync(path))).toEqual([]);
});
