import pg from 'pg';
import { openPostgres } from '../load/postgresql/postgres-database.js';
import type { PostgresServer } from './postgres-server.js';
import type { TestDatabase } from './sales-database-contract.js';

/** An empty database of a test's own on a server, with its address. */
export interface PostgresPlace extends TestDatabase {
  readonly url: string;
  value(sql: string): Promise<string>;
  sell(game: string, stakeCents: number, reference: string): Promise<number | undefined>;
  /** Runs SQL as the superuser. */
  run(sql: string): Promise<void>;
  /** Does something over a connection of its own, as another user where one is named. */
  with<T>(work: (client: pg.Client) => Promise<T>, user?: string): Promise<T>;
}

/** Makes databases on a server, or rather one that is emptied each time, which is much quicker. */
export function postgresPlaces(server: PostgresServer): () => Promise<PostgresPlace> {
  let place: PostgresPlace | undefined;
  return async () => {
    place ??= await newPostgresPlace(server);
    await place.run('drop schema if exists gen_block cascade');
    return place;
  };
}

/** Makes an empty database on a server. */
export async function newPostgresPlace(server: PostgresServer): Promise<PostgresPlace> {
  const url = await server.newDatabase();
  const database = new URL(url).pathname.slice(1);
  const connect = async (user?: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: server.url(user, database) });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  /** For what takes no time and no transaction; made anew after the server has been killed. */
  let shared: pg.Client | undefined;
  const atOnce = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    if (shared === undefined) {
      const client = await connect();
      client.once('end', () => {
        shared = undefined;
      });
      shared = client;
    }
    return work(shared);
  };
  return {
    url,
    async with(work, user) {
      const client = await connect(user);
      return work(client).finally(() => client.end());
    },
    open: () => openPostgres(url),
    run: async (sql) => {
      await atOnce((client) => client.query(sql));
    },
    value: (sql) =>
      atOnce(async (client) => {
        const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
        return String(rows[0]?.[0]);
      }),
    sell: (game, stakeCents, reference) =>
      atOnce((client) => sellOver(client, game, stakeCents, reference)),
  };
}

/** Sells a ticket over a connection. Returns its number, or nothing where none is left. */
export async function sellOver(
  client: pg.Client,
  game: string,
  stakeCents: number,
  reference: string,
): Promise<number | undefined> {
  const { rows } = await client.query<{ readonly ticket: number }>(
    'select ticket from gen_block.sell($1, $2, $3)',
    [game, stakeCents, reference],
  );
  return rows[0]?.ticket;
}
