import type { DatabaseTarget } from './database-target.js';
import type { SalesDatabase } from './sales-database.js';

/**
 * How a database is meant to be used.
 *
 * @group Sales databases
 */
export interface OpenOptions {
  /** Whether it is only read: then a file that is not there is not made. */
  readonly isReadOnly: boolean;
}

/**
 * Opens a sales database; its driver is only loaded then.
 *
 * @param target - What {@link parseDatabaseTarget} returns.
 * @returns The database, which is to be closed in the end.
 * @throws InputError `not-found`, `usage`; MachineError.
 * @group Sales databases
 */
export async function openDatabase(
  target: DatabaseTarget,
  { isReadOnly }: OpenOptions,
): Promise<SalesDatabase> {
  if (target.kind === 'sqlite') {
    const { openSqliteDatabase } = await import('./sqlite/sqlite-database.js');
    return openSqliteDatabase(target.path, { mustExist: isReadOnly });
  }
  const { openPostgres } = await import('./postgresql/postgres-database.js');
  return openPostgres(target.url);
}
