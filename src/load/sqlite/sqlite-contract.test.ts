import { salesDatabaseContract } from '../../testing/sales-database-contract.js';
import { folderMaker } from '../../testing/sample-requests.js';
import { newLab, rawRows, sellBy } from '../../testing/sqlite-lab.js';
import { openSqliteDatabase } from './sqlite-database.js';

const newFolder = folderMaker();

salesDatabaseContract('SQLite', () => {
  const { path } = newLab(newFolder());
  return {
    open: () => openSqliteDatabase(path),
    value: (sql) => String(Object.values(rawRows(path, sql)[0] ?? {})[0]),
    sell: (game, stakeCents, reference) => sellBy(path, { game, stakeCents }, reference)?.number,
  };
});
