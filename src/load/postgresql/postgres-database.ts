import type { Client } from 'pg';
import type {
  BlockStatus,
  BlockToLoad,
  LoadOutcome,
  LoadWatch,
  SalesDatabase,
} from '../sales-database.js';
import { connectPostgres, type PostgresConnection } from './postgres-connection.js';
import { postgresError } from './postgres-error.js';
import { loadIntoPostgres } from './load-into-postgres.js';
import { migrate, postgresMigrations, requireSchema } from './postgres-schema.js';
import { readStatus } from './postgres-status.js';
import { openStoredBlock } from './postgres-stored-block.js';

/** How a database is opened. */
export interface PostgresOptions {
  /** The SQL that leads from each version of the schema to the next; that of this program. */
  readonly migrations?: readonly string[];
}

/**
 * Opens a sales database in PostgreSQL 13 or later.
 *
 * @param url - `postgres://…`; what it leaves out comes from the PG… variables.
 * @throws InputError `usage`; MachineError.
 */
export async function openPostgres(
  url: string,
  { migrations = postgresMigrations() }: PostgresOptions = {},
): Promise<SalesDatabase> {
  const connection = await connectPostgres(url);
  const { client, label, isExposed } = connection;
  const check = (): Promise<void> => requireSchema(connection, migrations);
  return {
    label,
    isExposed,
    prepare: () => attempt(connection, 'prepare', () => migrate(connection, migrations)),
    load: (block: BlockToLoad, watch: LoadWatch = {}): Promise<LoadOutcome> =>
      attempt(connection, 'load into', () => loadIntoPostgres(connection, block, watch), watch),
    status: (): Promise<readonly BlockStatus[]> =>
      attempt(connection, 'read', async () => {
        await check();
        return readStatus(client);
      }),
    open: (name) =>
      attempt(connection, 'read', async () => {
        await check();
        return openStoredBlock(connection, name);
      }),
    close: async () => {
      await client.end().catch(() => undefined);
    },
  };
}

/** Does something with a database. A signal cuts the connection, and the server undoes what was open. */
async function attempt<T>(
  { client, label }: PostgresConnection,
  action: string,
  work: () => Promise<T>,
  { signal }: Pick<LoadWatch, 'signal'> = {},
): Promise<T> {
  const cut = (): void => {
    cutConnection(client);
  };
  signal?.addEventListener('abort', cut, { once: true });
  try {
    signal?.throwIfAborted();
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    throw postgresError(action, label, error);
  } finally {
    signal?.removeEventListener('abort', cut);
  }
}

function cutConnection(client: Client): void {
  client.connection.stream.destroy();
}
