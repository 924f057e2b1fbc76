import { InputError } from '../core/errors.js';
import type { DatabaseTarget } from '../load/database-target.js';
import { openDatabase } from '../load/open-database.js';
import type { SalesDatabase } from '../load/sales-database.js';
import type { Terminal } from './terminal.js';

/** Opens a database, does something with it, and closes it. */
export async function useDatabase<T>(
  {
    target,
    isReadOnly,
    terminal,
  }: {
    readonly target: DatabaseTarget;
    readonly isReadOnly: boolean;
    readonly terminal: Terminal;
  },
  work: (database: SalesDatabase) => Promise<T>,
): Promise<T> {
  if (target.kind === 'postgresql' && target.hasPassword) {
    const advice = 'use PGPASSWORD or a password file (PGPASSFILE)';
    terminal.note(`others on this machine can read the password on the command line; ${advice}`);
  }
  if (target.kind === 'postgresql' && (process.env['PGSERVICE'] ?? '') !== '') {
    // The driver would go to the default server.
    const message = 'PGSERVICE is not read; set PGHOST, PGPORT, PGUSER, PGDATABASE in its place';
    throw new InputError('usage', message);
  }
  const database = await openDatabase(target, { isReadOnly });
  try {
    if (database.isExposed) {
      const advice = 'add ?sslmode=verify-full, or set PGSSLMODE';
      terminal.note(`the connection to ${database.label} is not encrypted; ${advice}`);
    }
    return await work(database);
  } finally {
    await database.close();
  }
}
