import { loadOptional } from '../../core/optional-package.js';
import { noSuchBlock } from '../block-content.js';
import type { BlockEntry, StoredBlock } from '../sales-database.js';
import { readSchemaFile } from '../schema-files.js';
import { POSTGRES_PART, type PostgresConnection } from './postgres-connection.js';
import { postgresError } from './postgres-error.js';
import { functionFaults } from './postgres-functions.js';

interface StoredRow extends Omit<BlockEntry, 'stake_cents'> {
  readonly block_id: number;
  // The driver gives 64-bit integers as text.
  readonly stake_cents: string;
  readonly manifest: string;
}

/** Everything that is read until the connection is closed is of one moment. */
const ONE_MOMENT = 'begin transaction isolation level repeatable read read only';

/**
 * Opens a block for verification.
 *
 * @param migrations - The SQL that the schema was made by.
 */
export async function openStoredBlock(
  { client, label }: PostgresConnection,
  name: string,
  migrations: readonly string[],
): Promise<StoredBlock> {
  await client.query(ONE_MOMENT);
  const { rows } = await client.query<StoredRow>(
    `select block_id, name, game, stake_cents, emission, block, tickets, csv_sha256, manifest_sha256,
            manifest::text as manifest
       from gen_block.blocks where name = $1`,
    [name],
  );
  const [row] = rows;
  if (row === undefined) throw noSuchBlock(label, name);
  const { block_id: id, manifest, ...entry } = row;
  // By the partition's own name, which it has attached or not: a detachment does not wait for readers.
  const table = `gen_block.tickets_${id}`;
  return {
    entry: { ...entry, stake_cents: Number(entry.stake_cents) },
    manifest: Buffer.from(manifest, 'utf8'),
    async *csv() {
      const { to } = await loadOptional(POSTGRES_PART, async () => import('pg-copy-streams'));
      const query = `
        select number as ticket, prize_cents, nullif(combination, '') as combination, grids
          from ${table} order by number`;
      const stream = client.query(to(`copy (${query}) to stdout with (format csv, header)`));
      try {
        for await (const bytes of stream) yield bytes as Uint8Array;
      } catch (error) {
        throw postgresError('read', label, error);
      }
    },
    async saleFaults() {
      const sql = readSchemaFile('postgresql', 'check-sales.sql');
      const query = sql.replaceAll('gen_block.tickets_of_block', table);
      const { rows: faults } = await client
        .query<{ readonly fault: string }>(query, [id])
        .catch((error: unknown) => {
          throw postgresError('read', label, error);
        });
      const functions = await functionFaults(client, migrations);
      return [...faults.map(({ fault }) => fault), ...functions];
    },
  };
}
