import type { Client } from 'pg';
import { defined } from '../../core/assert.js';
import { InputError, systemErrorCode } from '../../core/errors.js';
import { loadOptional } from '../../core/optional-package.js';
import { VERIFY_HINT } from '../../verify/block-file.js';
import {
  blockEntry,
  checkSameBlock,
  miscounted,
  writeBlockCsv,
  type CountDifference,
} from '../block-content.js';
import type { BlockState, BlockToLoad, LoadOutcome, LoadWatch } from '../sales-database.js';
import { inTransaction, READ_COMMITTED } from './in-transaction.js';
import { POSTGRES_PART, type PostgresConnection } from './postgres-connection.js';
import { postgresError } from './postgres-error.js';
import { AS_LOADER } from './postgres-schema.js';

interface BlockRow {
  readonly name: string;
  readonly manifest: string;
  readonly csv_sha256: string;
  readonly state: BlockState;
}

/** Loaders of one block wait for each other; this number tells their locks from others'. */
const LOAD_LOCK = 1_734_700_641;

/** The columns of a tickets file, in its order. */
const COLUMNS = 'number, prize_cents, combination, grids';

/** Loads a block in one transaction. */
export async function loadIntoPostgres(
  connection: PostgresConnection,
  { block, onSale }: BlockToLoad,
  watch: LoadWatch,
): Promise<LoadOutcome> {
  const { client, label } = connection;
  const { name } = block;
  const stored = await inTransaction(connection, READ_COMMITTED, async () => {
    await client.query(AS_LOADER);
    await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [LOAD_LOCK, name]);
    const found = await findBlock(client, block);
    if (found !== undefined) return found;
    await insertBlock(connection, block, watch).catch((error: unknown) => {
      throw isRefusedRow(error) ? refusedTicket(name, error) : error;
    });
    if (onSale) await putOnSale(client, name);
    return undefined;
  });
  if (stored === undefined) return { isNew: true, state: onSale ? 'on sale' : 'loaded' };
  // Outside of the transaction: it takes a while, and a block never changes.
  const { csv_sha256: csvSha256, manifest, state } = stored;
  await checkSameBlock(block, { name: stored.name, manifest, csvSha256 }, label, watch);
  if (!onSale || state !== 'loaded') return { isNew: false, state };
  await inTransaction(connection, READ_COMMITTED, async () => {
    await client.query(AS_LOADER);
    await putOnSale(client, name);
  });
  return { isNew: false, state: 'on sale' };
}

async function putOnSale(client: Client, name: string): Promise<void> {
  await client.query('select gen_block.put_on_sale($1)', [name]);
}

/** Whether it is the data that the server refuses: SQLSTATE classes 22 and 23. */
function isRefusedRow(error: unknown): boolean {
  return /^2[23]\w{3}$/.test(systemErrorCode(error) ?? '');
}

/** What the server says of the ticket is left out: it would show it. */
function refusedTicket(name: string, error: unknown): InputError {
  const state = systemErrorCode(error) ?? '';
  const message = `${name} was not loaded: the database refuses its tickets or its manifest (SQLSTATE ${state}); ${VERIFY_HINT}`;
  return new InputError('not-a-block', message, { cause: error });
}

async function findBlock(
  client: Client,
  { game, stake, manifest }: BlockToLoad['block'],
): Promise<BlockRow | undefined> {
  const { rows } = await client.query<BlockRow>(
    `select name, manifest::text as manifest, csv_sha256, state from gen_block.blocks
       where game = $1 and stake_cents = $2 and emission = $3 and block = $4`,
    [game.id, stake.stakeCents, manifest.claims.emission, manifest.claims.block],
  );
  return rows[0];
}

/**
 * The partition is filled as a table of its own, before it has indexes, and attached when all is in it:
 * nobody who sells from other blocks waits for that.
 */
async function insertBlock(
  connection: PostgresConnection,
  block: BlockToLoad['block'],
  watch: LoadWatch,
): Promise<void> {
  const { client } = connection;
  const { rows } = await client.query<{ readonly id: number }>(
    "select nextval(pg_get_serial_sequence('gen_block.blocks', 'block_id'))::integer as id",
  );
  const { id } = defined(rows[0], 'a sequence has a next value');
  const partition = `gen_block.tickets_${id}`;
  await client.query(`
    create table ${partition} (like gen_block.ticket_form including constraints);
    alter table ${partition} alter block_id set default ${id}`);
  const csvSha256 = await copyTickets(connection, { partition, block, watch });
  await insertRow(client, { id, block, csvSha256 });
  await client.query(`
    alter table ${partition} add primary key (block_id, number);
    create index on ${partition} (block_id, number) where sale_reference is null`);
  await checkCounts(client, id, block.name);
  await client.query(
    `select gen_block.guard_tickets('${partition}'), gen_block.show_auditors('${partition}')`,
  );
  await client.query(
    `alter table gen_block.tickets attach partition ${partition} for values in (${id})`,
  );
}

/** Copies the tickets of a block into its table. Returns the hash of `tickets.csv`. */
async function copyTickets(
  { client, label }: PostgresConnection,
  {
    partition,
    block,
    watch,
  }: {
    readonly partition: string;
    readonly block: BlockToLoad['block'];
    readonly watch: LoadWatch;
  },
): Promise<string> {
  const { from } = await loadOptional(POSTGRES_PART, async () => import('pg-copy-streams'));
  // Rows of a table that nobody has seen yet need no later visit to be frozen.
  const options = 'format csv, force_not_null (combination), freeze';
  const stream = client.query(from(`copy ${partition} (${COLUMNS}) from stdin with (${options})`));
  const refusals: unknown[] = [];
  const failed = new Promise<never>((_, reject) => {
    stream.on('error', (error) => {
      refusals.push(error);
      // Into words here: who reads the file would take it for an error of the file.
      reject(postgresError('load into', label, error));
    });
  });
  // Whoever waits is told below; an error that comes when nobody does must not end the process.
  failed.catch(() => undefined);
  const taken = (send: (done: (error?: Error | null) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      send((error) => {
        if (error) reject(postgresError('load into', label, error));
        else resolve();
      });
    });
  try {
    const sha256 = await writeBlockCsv(
      block,
      (bytes) => Promise.race([failed, taken((done) => stream.write(bytes, done))]),
      watch,
    );
    await Promise.race([failed, taken((done) => stream.end(done))]);
    return sha256;
  } catch (error) {
    // Else the server would wait for more, and no other statement would get through.
    if (refusals.length === 0) stream.destroy();
    throw error;
  }
}

async function insertRow(
  client: Client,
  {
    id,
    block,
    csvSha256,
  }: {
    readonly id: number;
    readonly block: BlockToLoad['block'];
    readonly csvSha256: string;
  },
): Promise<void> {
  const values = {
    ...blockEntry(block, csvSha256),
    block_id: id,
    manifest: Buffer.from(block.manifest.bytes).toString('utf8'),
  };
  const columns = Object.keys(values);
  const places = columns.map((_, index) => `$${index + 1}`);
  await client.query(
    `insert into gen_block.blocks (${columns.join()}) overriding system value values (${places.join()})`,
    Object.values(values),
  );
}

/** Has the database hold its rows against the manifest. */
async function checkCounts(client: Client, id: number, name: string): Promise<void> {
  const { rows } = await client.query<CountDifference>(
    'select what, expected, found from gen_block.count_differences($1)',
    [id],
  );
  const [difference] = rows;
  if (difference !== undefined) throw miscounted(name, difference);
}
