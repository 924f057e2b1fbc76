import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { loadBlock, type LoadOptions, type LoadedBlock } from '../load/load-block.js';
import { openSqliteDatabase, type SqliteOptions } from '../load/sqlite/sqlite-database.js';
import type { SalesDatabase } from '../load/sales-database.js';
import { validBlock, writeBlock, type BlockCopy } from './broken-blocks.js';
import type { SampleName } from './sample-definitions.js';

/** The statement that sells, as it is shipped. */
export const SELL_FILE = fileURLToPath(new URL('../../schemas/sqlite/sell.sql', import.meta.url));

/** A sales database in a folder of its own. */
export interface SqliteLab {
  readonly folder: string;
  /** The database's file. */
  readonly path: string;
}

/** A place for a database; the file is not there yet. */
export function newLab(folder: string): SqliteLab {
  return { folder, path: join(folder, 'sales.db') };
}

/** Opens a database, works with it, and closes it whatever happens. */
export async function withDatabase<T>(
  path: string,
  work: (database: SalesDatabase) => Promise<T>,
  options?: SqliteOptions,
): Promise<T> {
  const database = await openSqliteDatabase(path, options);
  try {
    await database.prepare();
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Writes a block beside the database and loads it. */
export async function loadCopy(
  { folder, path }: SqliteLab,
  block: BlockCopy,
  options: LoadOptions = {},
): Promise<LoadedBlock> {
  const blockFolder = writeBlock(block, folder);
  return withDatabase(path, async (database) =>
    loadBlock(blockFolder, database, { game: block.game, ...options }),
  );
}

/** Loads a valid block of a sample game and puts it on sale. */
export async function loadSample(
  lab: SqliteLab,
  name: SampleName = 'collect-bare',
): Promise<BlockCopy> {
  const block = await validBlock(name);
  await loadCopy(lab, block, { onSale: true });
  return block;
}

/** A connection of somebody else's program. Without waiting for the disk: nothing here loses its power. */
export function rawConnection(path: string): DatabaseSyncInstance {
  const database = new DatabaseSync(path, { timeout: 60_000 });
  database.exec('pragma synchronous = off');
  return database;
}

/** Runs SQL on a connection of its own. */
export function rawExec(path: string, sql: string): void {
  const database = rawConnection(path);
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

/** The rows that a query gives on a connection of its own. */
export function rawRows(
  path: string,
  sql: string,
): readonly Readonly<Record<string, number | string | null>>[] {
  const database = rawConnection(path);
  try {
    const rows = database.prepare(sql).all() as readonly Record<string, number | string | null>[];
    return rows.map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

/** What a sale gives. */
export interface SoldTicket {
  readonly name: string;
  readonly number: number;
  readonly prize_cents: number;
  readonly sold_at: string;
}

/** Sells one ticket of a block's game; `undefined` where there is none left. */
export function sell(
  path: string,
  { game, stake }: Pick<BlockCopy, 'game' | 'stake'>,
  reference: string,
  now?: string,
): SoldTicket | undefined {
  return sellBy(path, { game: game.id, stakeCents: stake.stakeCents }, reference, now);
}

/** The same, by the name of the game. */
export function sellBy(
  path: string,
  { game, stakeCents }: { readonly game: string; readonly stakeCents: number },
  reference: string,
  now = '2026-01-31T09:30:00.000Z',
): SoldTicket | undefined {
  const database = rawConnection(path);
  try {
    const values = { game, stake_cents: stakeCents, reference, now };
    return database.prepare(readFileSync(SELL_FILE, 'utf8')).get(values) as SoldTicket | undefined;
  } finally {
    database.close();
  }
}
