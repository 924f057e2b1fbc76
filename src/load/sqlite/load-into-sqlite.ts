import { assert } from '../../core/assert.js';
import type { BlockFile } from '../../verify/block-file.js';
import {
  blockEntry,
  checkSameBlock,
  miscounted,
  writeBlockCsv,
  type CountDifference,
  type StoredContent,
} from '../block-content.js';
import type { BlockState, BlockToLoad, LoadOutcome, LoadWatch } from '../sales-database.js';
import { readSchemaFile } from '../schema-files.js';
import type { SqliteConnection, SqliteValue } from './sqlite-connection.js';
import { TicketRows } from './ticket-rows.js';

/**
 * Loads a block in one transaction; where the same one is there already, it is only put on sale.
 *
 * @throws InputError `target-exists`, `not-a-block`; MachineError; the signal's reason.
 */
export async function loadIntoSqlite(
  connection: SqliteConnection,
  { block, onSale }: BlockToLoad,
  watch: LoadWatch,
): Promise<LoadOutcome> {
  const { signal } = watch;
  let stored = findStored(connection, block);
  if (stored === undefined) {
    const csvSha256 = await csvHashOf(block, signal);
    await connection.patiently(() => connection.exec('begin immediate'), signal);
    try {
      // Another process may have been quicker.
      stored = findStored(connection, block);
      if (stored === undefined) await insertBlock(connection, { block, csvSha256 }, watch);
      if (stored === undefined && onSale) putOnSale(connection, block);
      signal?.throwIfAborted();
      connection.exec('commit');
    } catch (error) {
      connection.rollback();
      throw error;
    }
  }
  if (stored !== undefined) {
    // Outside of any transaction: it takes a while, sellers would wait, and a block never changes.
    await checkSameBlock(block, stored, connection.label, watch);
    if (onSale) await connection.patiently(() => putOnSale(connection, block), signal);
  }
  return { isNew: stored === undefined, state: stateOf(connection, block) };
}

/** Parameters that say which block it is. */
function identityOf({ manifest, stake }: BlockFile): Readonly<Record<string, SqliteValue>> {
  const { game, emission, block } = manifest.claims;
  return { game, stake_cents: stake.stakeCents, emission, block };
}

const OF_IDENTITY = `
  from blocks
  where (game, stake_cents, emission, block) = (:game, :stake_cents, :emission, :block)`;

function findStored(connection: SqliteConnection, block: BlockFile): StoredContent | undefined {
  const sql = `select name, manifest, csv_sha256 as csvSha256 ${OF_IDENTITY}`;
  return connection.first(sql, identityOf(block)) as StoredContent | undefined;
}

function stateOf(connection: SqliteConnection, block: BlockFile): BlockState {
  const row = connection.first(`select state ${OF_IDENTITY}`, identityOf(block));
  return (row as { readonly state: BlockState }).state;
}

/** A block that is on sale, sold out or withdrawn stays so. */
function putOnSale(connection: SqliteConnection, { name }: BlockFile): void {
  const sql = "update blocks set state = 'on sale' where name = :name and state = 'loaded'";
  connection.first(sql, { name });
}

/** The hash of `tickets.csv`; where the block does not have it, its tickets are read an extra time. */
async function csvHashOf(block: BlockFile, signal: AbortSignal | undefined): Promise<string> {
  if (block.file.format === 'csv') return block.file.sha256;
  return writeBlockCsv(block, () => undefined, { signal });
}

/** Within a transaction: enters the block and its tickets, and counts them. */
async function insertBlock(
  connection: SqliteConnection,
  { block, csvSha256 }: { readonly block: BlockFile; readonly csvSha256: string },
  watch: LoadWatch,
): Promise<void> {
  const { name } = block;
  const { blockId } = connection.first(
    `insert into blocks
      (name, game, stake_cents, emission, block, tickets, csv_sha256, manifest, manifest_sha256)
    values
      (:name, :game, :stake_cents, :emission, :block, :tickets, :csv_sha256, :manifest,
        :manifest_sha256)
    returning block_id as blockId`,
    {
      ...blockEntry(block, csvSha256),
      manifest: Buffer.from(block.manifest.bytes).toString('utf8'),
    },
  ) as { readonly blockId: number };
  const rows = new TicketRows(connection, { name, blockId });
  const written = await writeBlockCsv(block, (csv) => rows.add(csv), watch);
  rows.flush();
  assert(written === csvSha256, 'the bytes of tickets.csv, whichever file they are made from');
  checkCounts(connection, name, blockId);
}

/** Has the database hold its rows against the manifest. */
function checkCounts(connection: SqliteConnection, name: string, blockId: number): void {
  const sql = readSchemaFile('sqlite', 'check-block.sql');
  const difference = connection.first(sql, { block_id: blockId });
  if (difference === undefined) return;
  throw miscounted(name, difference as CountDifference);
}
