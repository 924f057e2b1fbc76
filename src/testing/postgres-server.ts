import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { ADMIN, makeCluster, removeCluster, type Cluster } from './postgres/cluster.js';
import {
  HOST,
  isRunning,
  killPostmaster,
  startPostmaster,
  stopPostmaster,
  type Postmaster,
} from './postgres/postmaster.js';

const MOST_PORTS_TRIED = 10;
const LONGEST_WAIT_FOR_PORT_MS = 20_000;

/** How a server is started. */
export interface PostgresOptions {
  /**
   * `false` for tests of many sales: the server does not wait for the disk, so that a crash of the
   * machine could lose what was committed. A kill of the server loses nothing. `true` where it is left out.
   */
  readonly durable?: boolean;
  /** Finds the port to try next; one that is free where it is left out. */
  readonly findPort?: () => Promise<number>;
}

/** A PostgreSQL server of the tests' own, in a temporary folder and on a port of 127.0.0.1. */
export interface PostgresServer {
  /** Stays the same over a restart. */
  readonly port: number;
  /** The superuser's password, and that in each {@link url}: a role that a test makes gets it too. */
  readonly password: string;
  /** The superuser in the database `postgres`. */
  readonly adminUrl: string;
  /** The server's log. */
  readonly logPath: string;
  /** The address of a database for a role; both are `postgres` where they are left out. */
  url(user?: string, database?: string): string;
  /** Makes an empty database, and returns the superuser's address of it. */
  newDatabase(): Promise<string>;
  /** Stops the server and removes all that there is of it. */
  stop(): Promise<void>;
  /** Ends all processes of the server in the middle of what they do; the data stay. */
  kill(): Promise<void>;
  /** Starts it again, after a fast shutdown where it still runs. */
  restart(): Promise<void>;
}

/**
 * Starts a server, which is to be stopped. It goes away by itself where the process of the tests dies.
 * A suite starts one, which takes a second or two, and makes a database for each test.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { durable = true, findPort = findFreePort } = options;
  const cluster = await makeCluster();
  try {
    for (let tried = 0; tried < MOST_PORTS_TRIED; tried += 1) {
      const port = await findPort();
      const start = { port, url: urlOf(cluster, port), isDurable: durable };
      // Between the search for a free port and the start, somebody else may take it.
      const postmaster = await startPostmaster(cluster, start);
      if (postmaster !== undefined) return new TemporaryPostgres(cluster, postmaster, start);
    }
    throw new Error(`none of ${MOST_PORTS_TRIED} ports was free`);
  } catch (error) {
    await removeCluster(cluster);
    throw error;
  }
}

type Start = Parameters<typeof startPostmaster>[1];

class TemporaryPostgres implements PostgresServer {
  readonly port: number;
  readonly password: string;
  readonly adminUrl: string;
  readonly logPath: string;
  readonly #cluster: Cluster;
  readonly #start: Start;
  #postmaster: Postmaster;
  #databases = 0;

  constructor(cluster: Cluster, postmaster: Postmaster, start: Start) {
    this.port = start.port;
    this.password = cluster.password;
    this.adminUrl = start.url;
    this.logPath = cluster.log;
    this.#cluster = cluster;
    this.#postmaster = postmaster;
    this.#start = start;
  }

  url(user = ADMIN, database = ADMIN): string {
    return urlOf(this.#cluster, this.port, { user, database });
  }

  async newDatabase(): Promise<string> {
    this.#databases += 1;
    const database = `test_${this.#databases}`;
    const client = new pg.Client({ connectionString: this.adminUrl });
    await client.connect();
    try {
      await client.query(`create database ${database}`);
    } finally {
      await client.end();
    }
    return this.url(ADMIN, database);
  }

  async stop(): Promise<void> {
    await stopPostmaster(this.#postmaster);
    await removeCluster(this.#cluster);
  }

  async kill(): Promise<void> {
    await killPostmaster(this.#postmaster);
  }

  async restart(): Promise<void> {
    if (isRunning(this.#postmaster)) await stopPostmaster(this.#postmaster);
    const end = Date.now() + LONGEST_WAIT_FOR_PORT_MS;
    for (;;) {
      const postmaster = await startPostmaster(this.#cluster, this.#start);
      if (postmaster !== undefined) {
        this.#postmaster = postmaster;
        return;
      }
      // The system may have lent the port to a connection of somebody else, for a moment.
      if (Date.now() > end) throw new Error(`port ${this.port} is not free any more`);
      await setTimeout(100);
    }
  }
}

function urlOf(
  { password }: Cluster,
  port: number,
  { user, database } = { user: ADMIN, database: ADMIN },
): string {
  const [role, name] = [user, database].map(encodeURIComponent);
  return `postgres://${String(role)}:${password}@${HOST}:${port}/${String(name)}`;
}

/** A port of 127.0.0.1 that nobody has, for now. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return address.port;
}
