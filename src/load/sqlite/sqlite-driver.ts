import type { SqliteModule } from '@photostructure/sqlite';
import { MachineError } from '../../core/errors.js';

/** What opens databases. */
export type SqliteDriver = Pick<SqliteModule, 'DatabaseSync'>;

/**
 * Loads SQLite, which is an optional part of the installation: nothing else of the program needs it.
 *
 * @throws MachineError where it is not installed, or not for this system.
 */
export async function loadSqliteDriver(
  load: () => Promise<SqliteDriver> = async () => import('@photostructure/sqlite'),
): Promise<SqliteDriver> {
  try {
    return await load();
  } catch (error) {
    const message =
      'SQLite needs a package that is not installed, or not for this system: npm install @photostructure/sqlite';
    throw new MachineError(message, { code: 'ERR_MODULE_NOT_FOUND', cause: error });
  }
}
