import { setImmediate } from 'node:timers/promises';
import { HEADERS } from '../../formats/ticket-formats.js';
import { noSuchBlock } from '../block-content.js';
import type { BlockEntry, StoredBlock } from '../sales-database.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { saleFaults } from './sqlite-sale-faults.js';

/** How many tickets are made into text at once. */
const TICKETS_AT_ONCE = 4000;

/** What is read of a block first. */
interface BlockRow extends BlockEntry {
  readonly blockId: number;
  readonly manifest: string;
}

/**
 * Opens a block by its name.
 *
 * @param connection - One in a read transaction, which makes all that is read be of one moment.
 * @param schemaFaults - What is wrong with the schema that the sales go through.
 * @throws InputError `not-found`; MachineError.
 */
export function openStoredBlock(
  connection: SqliteConnection,
  name: string,
  schemaFaults: readonly string[],
): StoredBlock {
  const row = connection.first(
    `select
      block_id as blockId, name, game, stake_cents, emission, block, tickets, csv_sha256,
      manifest_sha256, manifest
    from blocks
    where name = :name`,
    { name },
  ) as BlockRow | undefined;
  if (row === undefined) throw noSuchBlock(connection.label, name);
  const { blockId, manifest, ...entry } = row;
  return {
    entry,
    manifest: Buffer.from(manifest, 'utf8'),
    csv: () => csvOf(connection, blockId),
    saleFaults: async () =>
      Promise.resolve(schemaFaults.length > 0 ? schemaFaults : saleFaults(connection, blockId)),
  };
}

/** The bytes of `tickets.csv`; SQLite writes the lines. */
async function* csvOf(connection: SqliteConnection, blockId: number): AsyncIterable<Uint8Array> {
  yield Buffer.from(HEADERS.csv);
  const sql = `
    select max(number) as last, cast(group_concat(line, '') as blob) as lines
    from (
      select
        number,
        number || ',' || prize_cents || ',' || combination || ',' || grids || char(10) as line
      from tickets
      where block_id = :block_id and number > :last
      order by number
      limit ${TICKETS_AT_ONCE}
    )`;
  for (let last = 0; ;) {
    const piece = connection.first(sql, { block_id: blockId, last }) as CsvPiece;
    if (piece.last === null || piece.lines === null) return;
    yield piece.lines;
    last = piece.last;
    // Reading is one call of SQLite after the other: signals come through between two of them.
    await setImmediate();
  }
}

/** `null` behind the last ticket. */
interface CsvPiece {
  readonly last: number | null;
  readonly lines: Uint8Array | null;
}
