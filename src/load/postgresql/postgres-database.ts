import type {
  BlockStatus,
  BlockToLoad,
  LoadOutcome,
  LoadWatch,
  SalesDatabase,
} from '../sales-database.js';
import { connectPostgres, type PostgresConnection } from './postgres-connection.js';
import { postgresError, UncertainCommit } from './postgres-error.js';
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
        return openStoredBlock(connection, name, migrations);
      }),
    close: async () => {
      await client.end().catch(() => undefined);
    },
  };
}

/**
 * Does something with a database. A signal cuts the connection, and the server undoes what was open; only
 * while it commits is it waited for.
 */
async function attempt<T>(
  connection: PostgresConnection,
  action: string,
  work: () => Promise<T>,
  { signal }: Pick<LoadWatch, 'signal'> = {},
): Promise<T> {
  const cut = (): void => {
    if (!connection.isCommitting) connection.client.connection.stream.destroy();
  };
  signal?.addEventListener('abort', cut, { once: true });
  try {
    signal?.throwIfAborted();
    return await work();
  } catch (error) {
    if (!(error instanceof UncertainCommit)) signal?.throwIfAborted();
    throw postgresError(action, connection.label, error);
  } finally {
    signal?.removeEventListener('abort', cut);
  }
}
