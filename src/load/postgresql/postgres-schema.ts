import { defined } from '../../core/assert.js';
import { InputError } from '../../core/errors.js';
import { otherSchema } from '../block-content.js';
import { readSchemaFile } from '../schema-files.js';
import { inTransaction, READ_COMMITTED } from './in-transaction.js';
import type { PostgresConnection } from './postgres-connection.js';

const MIGRATION_FILES = ['1-tables.sql'] as const;

/** The SQL that leads from each version of the schema to the next, from an empty database on. */
export function postgresMigrations(): readonly string[] {
  return MIGRATION_FILES.map((name) => readSchemaFile('postgresql', name));
}

/** A number of our own among the advisory locks of the database; sales and loads have others. */
const MIGRATION_LOCK = 1_734_700_640;

/**
 * Makes what a transaction does belong to all loaders, where the schema is theirs and the user is one of
 * them.
 */
export const AS_LOADER = `
  select set_config('role', 'gen_block_loader', true)
    from pg_namespace
    where nspname = 'gen_block' and pg_get_userbyid(nspowner) = 'gen_block_loader'
      and pg_has_role(nspowner, 'member')`;

/** Functions are everybody's when they are made. */
const CLOSE_FUNCTIONS = `
  revoke all on all functions in schema gen_block from public;
  select gen_block.grant_roles()`;

/**
 * Makes the schema, or brings it to the last of some migrations: all of them in one transaction.
 *
 * @throws InputError `newer-schema`; `not-found` where another program has a schema of this name; what
 * the driver throws.
 */
export async function migrate(
  connection: PostgresConnection,
  migrations: readonly string[],
): Promise<void> {
  const { client, label } = connection;
  await inTransaction(connection, READ_COMMITTED, async () => {
    await client.query(AS_LOADER);
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const version = await readVersion(connection);
    const other = otherSchema(label, version, migrations.length);
    if (other?.code === 'newer-schema') throw other;
    const missing = migrations.slice(version);
    for (const sql of missing) await client.query(sql);
    if (missing.length > 0) await client.query(CLOSE_FUNCTIONS);
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
  const { label } = connection;
  const version = await readVersion(connection);
  if (version === 0) {
    throw new InputError('not-found', `there are no blocks in ${label}; load one first`);
  }
  const other = otherSchema(label, version, migrations.length);
  if (other !== undefined) throw other;
}

/** The version of the schema that is there; 0 where none is. */
async function readVersion({ client, label }: PostgresConnection): Promise<number> {
  const { rows } = await client.query<{ readonly versions: boolean; readonly others: boolean }>(`
    select to_regclass('gen_block.schema_versions') is not null as versions,
           exists (select from pg_class where relnamespace = to_regnamespace('gen_block')) as others`);
  const there = defined(rows[0], 'a query without a table gives a row');
  if (!there.versions && there.others) {
    const message = `${label} has a schema gen_block of another program; choose another database`;
    throw new InputError('not-found', message);
  }
  if (!there.versions) return 0;
  const { rows: versions } = await client.query<{ readonly version: number }>(
    'select coalesce(max(version), 0) as version from gen_block.schema_versions',
  );
  return versions[0]?.version ?? 0;
}
