import type { Client } from 'pg';
import { InputError } from '../../core/errors.js';
import { postgresError } from './postgres-error.js';

/** How long to wait for a server to answer. */
const CONNECT_MILLISECONDS = 30_000;

/** A connection to a server. */
export interface PostgresConnection {
  readonly client: Client;
  /** `postgres://host:port/database`, without user or password. */
  readonly label: string;
  /** Whether others on the way can read what is sent. */
  readonly isExposed: boolean;
}

/**
 * Connects to a PostgreSQL server. Whatever the URL leaves out comes from the PG… variables, and the
 * password from PGPASSFILE or `~/.pgpass`, too.
 *
 * @throws InputError `usage` where the URL cannot be read; MachineError.
 */
export async function connectPostgres(url: string): Promise<PostgresConnection> {
  const { default: pg } = await import('pg');
  const client = newClient(pg.Client, url);
  // An error that comes while nothing is asked shows again at the next question.
  client.on('error', () => undefined);
  const label = labelOf(client);
  try {
    await client.connect();
  } catch (error) {
    throw postgresError('connect to', label, error);
  }
  return { client, label, isExposed: !client.ssl && !isLocal(client.host) };
}

function newClient(ClientClass: typeof Client, url: string): Client {
  try {
    return new ClientClass({
      // The driver cannot read a URL that leaves everything to the environment.
      ...(/^postgres(?:ql)?:\/*$/.test(url) ? {} : { connectionString: url }),
      application_name: 'gen-block',
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      keepAlive: true,
    });
  } catch {
    // What the URL parser says repeats the URL, and a password that is in it.
    const message =
      'the database URL cannot be read; write postgres://user@host:port/database, or postgres:// and set PGHOST, PGUSER, PGDATABASE';
    throw new InputError('usage', message);
  }
}

function labelOf({ host, port, database = '' }: Client): string {
  return host.startsWith('/')
    ? `postgres:///${database}?host=${host}`
    : `postgres://${host}:${port}/${database}`;
}

function isLocal(host: string): boolean {
  return host.startsWith('/') || ['localhost', '127.0.0.1', '::1'].includes(host);
}
