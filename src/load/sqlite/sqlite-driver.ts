import type { SqliteModule } from '@photostructure/sqlite';
import { loadOptional } from '../../core/optional-package.js';

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
  return loadOptional({ what: 'SQLite', packages: ['@photostructure/sqlite'] }, load);
}
