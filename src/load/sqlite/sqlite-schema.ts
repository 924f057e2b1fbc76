import { assert } from '../../core/assert.js';
import { InputError, printable } from '../../core/errors.js';
import { otherSchema } from '../block-content.js';
import { readSchemaFile } from '../schema-files.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** "GBlk": `schemas/sqlite/1-tables.sql` enters it. */
const APPLICATION_ID = 0x47426c6b;

const MIGRATION_FILES = ['1-tables.sql'] as const;

/** The SQL that leads from each version of the schema to the next, from an empty database on. */
export function sqliteMigrations(): readonly string[] {
  return MIGRATION_FILES.map((name) => readSchemaFile('sqlite', name));
}

/**
 * The version of a database's schema; 0 where the database is empty.
 *
 * @param latest - The version of this program.
 * @throws InputError `not-found` where another program made it, `newer-schema` where a later version
 * of this one did; MachineError.
 */
export function schemaVersion(connection: SqliteConnection, latest: number): number {
  const { id, version, objects } = connection.first(
    `select
      (select application_id from pragma_application_id) as id,
      (select user_version from pragma_user_version) as version,
      (select count(*) from sqlite_schema) as objects`,
  ) as { readonly id: number; readonly version: number; readonly objects: number };
  const { label } = connection;
  const isEmpty = id === 0 && version === 0 && objects === 0;
  if (isEmpty) return 0;
  if (id !== APPLICATION_ID) {
    const message = `${label} is a database of another program; choose another file`;
    throw new InputError('not-found', message);
  }
  const refusal = otherSchema(label, version, latest);
  if (refusal?.code === 'newer-schema') throw refusal;
  return version;
}

/**
 * Makes the schema, or brings it to the latest version, in one transaction.
 *
 * @throws what {@link schemaVersion} throws; MachineError.
 */
export async function migrateSchema(
  connection: SqliteConnection,
  migrations: readonly string[],
): Promise<void> {
  const latest = migrations.length;
  // Before anything is done to it: it may be a database of somebody else.
  const version = await connection.patiently(() => schemaVersion(connection, latest));
  if (version === latest) return;
  await connection.patiently(() => connection.exec('pragma journal_mode = wal'));
  await connection.patiently(() => connection.exec('begin immediate'));
  try {
    // Another process may have been quicker.
    for (const sql of migrations.slice(schemaVersion(connection, latest))) connection.exec(sql);
    const reached = schemaVersion(connection, latest);
    assert(reached === latest, () => `version ${latest} of the schema, and not ${reached}`);
    connection.exec('commit');
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

/**
 * Where a database's schema is not this program's, a line each: it holds that no ticket is sold twice,
 * and what somebody has added may undo that.
 *
 * @param model - An empty database in memory.
 */
export function schemaFaults(
  connection: SqliteConnection,
  model: SqliteConnection,
  migrations: readonly string[],
): readonly string[] {
  for (const sql of migrations) model.exec(sql);
  const found = schemaObjects(connection);
  const expected = schemaObjects(model);
  return [
    ...[...expected].flatMap(([object, sql]) => {
      if (found.get(object) === sql) return [];
      return [`the ${object} ${found.has(object) ? 'is not that of the schema' : 'is missing'}`];
    }),
    ...[...found.keys()]
      .filter((object) => !expected.has(object))
      .map((object) => `the ${printable(object)} is not of the schema`),
  ];
}

/**
 * The SQL of each table, index, trigger and view, by its kind and its name. Not those that SQLite makes
 * of its own accord: indexes that belong to a table, and the statistics of "analyze".
 */
function schemaObjects(connection: SqliteConnection): ReadonlyMap<string, string> {
  const sql = `
    select type || ' ' || name as object, sql from sqlite_schema
    where sql is not null and not (type = 'table' and name glob 'sqlite_stat[0-9]')
    order by name, type`;
  const rows = connection.all(sql) as readonly { readonly object: string; readonly sql: string }[];
  return new Map(rows.map((row) => [row.object, row.sql]));
}
