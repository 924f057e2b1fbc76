import { InputError, printable } from '../../core/errors.js';
import type { BlockState, StoredBlock } from '../sales-database.js';
import type { PostgresConnection } from './postgres-connection.js';
import { postgresError } from './postgres-error.js';

interface StoredRow {
  readonly block_id: number;
  readonly state: BlockState;
  readonly manifest: string;
}

/** Everything that is read until the connection is closed is of one moment. */
const ONE_MOMENT = 'begin transaction isolation level repeatable read read only';

/** Opens a block for verification. */
export async function openStoredBlock(
  { client, label }: PostgresConnection,
  name: string,
): Promise<StoredBlock> {
  await client.query(ONE_MOMENT);
  const { rows } = await client.query<StoredRow>(
    'select block_id, state, manifest::text as manifest from gen_block.blocks where name = $1',
    [name],
  );
  const [row] = rows;
  if (row === undefined) {
    const message = `${label} has no block ${printable(name)}; gen-block status lists its blocks`;
    throw new InputError('not-found', message);
  }
  const { block_id: id, state } = row;
  return {
    name,
    state,
    manifest: Buffer.from(row.manifest, 'utf8'),
    async *csv() {
      const { to } = await import('pg-copy-streams');
      // A withdrawn block's partition is a table of its own.
      const table = state === 'withdrawn' ? `gen_block.tickets_${id}` : 'gen_block.tickets';
      const query = `
        select number as ticket, prize_cents, nullif(combination, '') as combination, grids
          from ${table} where block_id = ${id} order by number`;
      const stream = client.query(to(`copy (${query}) to stdout with (format csv, header)`));
      try {
        for await (const bytes of stream) yield bytes as Uint8Array;
      } catch (error) {
        throw postgresError('read', label, error);
      }
    },
    async saleFaults() {
      const { rows: faults } = await client.query<{ readonly fault: string }>(
        'select fault from gen_block.sale_faults($1) fault',
        [id],
      );
      return faults.map(({ fault }) => fault);
    },
  };
}
