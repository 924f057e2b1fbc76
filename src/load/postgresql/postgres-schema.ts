import type { Client } from 'pg';
import { InputError } from '../../core/errors.js';
import { readSchemaFile } from '../schema-files.js';
import { inTransaction } from './in-transaction.js';
import type { PostgresConnection } from './postgres-connection.js';

const MIGRATION_FILES = ['1-tables.sql'] as const;

/** The SQL that leads from each version of the schema to the next, from an empty database on. */
export function postgresMigrations(): readonly string[] {
  return MIGRATION_FILES.map((name) => readSchemaFile('postgresql', name));
}

/** A number of our own among the advisory locks of the database; sales and loads have others. */
const MIGRATION_LOCK = 1_734_700_640;

/** Makes what follows belong to all loaders, where the schema is theirs and the user is one of them. */
const BECOME_LOADER = `
  select set_config('role', 'gen_block_loader', false)
    from pg_namespace
    where nspname = 'gen_block' and pg_get_userbyid(nspowner) = 'gen_block_loader'
      and pg_has_role(nspowner, 'member')`;

/**
 * Makes the schema, or brings it to the last of some migrations: all of them in one transaction.
 *
 * @throws InputError `newer-schema`; what the driver throws.
 */
export async function migrate(
  connection: PostgresConnection,
  migrations: readonly string[],
): Promise<void> {
  const { client } = connection;
  await client.query(BECOME_LOADER);
  await inTransaction(client, 'begin', async () => {
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const version = await readVersion(client);
    refuseNewer(connection, version, migrations.length);
    for (const sql of migrations.slice(version)) await client.query(sql);
  });
}

/**
 * Makes sure that a database that is only read has the schema of this program.
 *
 * @throws InputError `not-found` where it has none; `newer-schema`, `older-schema`; what the driver
 * throws.
 */
export async function requireSchema(
  connection: PostgresConnection,
  migrations: readonly string[],
): Promise<void> {
  const version = await readVersion(connection.client);
  if (version === 0) {
    const message = `there are no blocks in ${connection.label}; load one first`;
    throw new InputError('not-found', message);
  }
  refuseNewer(connection, version, migrations.length);
  if (version < migrations.length) {
    const message = `${connection.label} has schema version ${version}, made by an earlier version of this program, which has ${migrations.length}; gen-block load brings it up to date`;
    throw new InputError('older-schema', message);
  }
}

function refuseNewer({ label }: PostgresConnection, version: number, latest: number): void {
  if (version <= latest) return;
  const message = `${label} has schema version ${version}, made by a later version of this program, which knows ${latest}; update gen-block`;
  throw new InputError('newer-schema', message);
}

/** The version of the schema that is there; 0 where none is. */
async function readVersion(client: Client): Promise<number> {
  const { rows: found } = await client.query<{ readonly there: boolean }>(
    "select to_regclass('gen_block.schema_versions') is not null as there",
  );
  if (found[0]?.there !== true) return 0;
  const { rows } = await client.query<{ readonly version: number }>(
    'select coalesce(max(version), 0) as version from gen_block.schema_versions',
  );
  return rows[0]?.version ?? 0;
}
