import { resolve } from 'node:path';
import { printable } from '../../core/errors.js';
import { otherSchema } from '../block-content.js';
import type {
  BlockStatus,
  BlockToLoad,
  LoadOutcome,
  LoadWatch,
  SalesDatabase,
  StoredBlock,
} from '../sales-database.js';
import { loadIntoSqlite } from './load-into-sqlite.js';
import { SqliteConnection, type SqliteTarget } from './sqlite-connection.js';
import { loadSqliteDriver, type SqliteDriver } from './sqlite-driver.js';
import {
  checkDatabaseFolder,
  createDatabaseFile,
  isDatabaseThere,
  noDatabase,
} from './sqlite-file.js';
import { migrateSchema, schemaFaults, schemaVersion, sqliteMigrations } from './sqlite-schema.js';
import { readStatus } from './sqlite-status.js';
import { openStoredBlock } from './sqlite-stored-block.js';

/** A load by another process holds the lock for some seconds with each million tickets. */
const PATIENCE_MS = 60_000;

/** How a database is opened. */
export interface SqliteOptions {
  /** Only reads, and refuses what is not there or is no sales database. */
  readonly mustExist?: boolean | undefined;
  /** The SQL that leads from each version of the schema to the next; that of this program. */
  readonly migrations?: readonly string[] | undefined;
  /** How long to wait for a process that holds the database's lock; a minute. */
  readonly patienceMs?: number | undefined;
}

/**
 * Opens a database that tickets are sold from, in a file of SQLite. Where the file is not there, nothing
 * is made before the schema is: so what fails earlier leaves nothing behind.
 *
 * @throws InputError `not-found`, `newer-schema`, `older-schema`; MachineError, also where SQLite is not installed.
 */
export async function openSqliteDatabase(
  path: string,
  options: SqliteOptions = {},
): Promise<SalesDatabase> {
  const { mustExist = false, migrations = sqliteMigrations(), patienceMs = PATIENCE_MS } = options;
  const settings = {
    // To SQLite, "file:x" and ":memory:" would be something else than the file of this name; a path
    // from the root never is.
    path: resolve(path),
    label: `sqlite:${printable(path)}`,
    patienceMs,
    mustExist,
    migrations,
  };
  const database = new SqliteDatabase(await loadSqliteDriver(), settings);
  if (await isDatabaseThere(settings)) await database.connect();
  else if (mustExist) throw noDatabase(settings);
  else await checkDatabaseFolder(settings);
  return database;
}

/** Where a database is, and what it should be like. */
interface SqliteSettings extends SqliteTarget {
  readonly mustExist: boolean;
  readonly migrations: readonly string[];
}

class SqliteDatabase implements SalesDatabase {
  readonly label: string;
  readonly isExposed = false;
  readonly #driver: SqliteDriver;
  readonly #settings: SqliteSettings;
  /** Each block that is read has one of its own, with the moment that it is read at. */
  readonly #readers: SqliteConnection[] = [];
  /** None as long as the file is not there. */
  #connection: SqliteConnection | undefined;

  constructor(driver: SqliteDriver, settings: SqliteSettings) {
    this.label = settings.label;
    this.#driver = driver;
    this.#settings = settings;
  }

  /** Opens the file, and makes sure that it is a database to sell from, or may become one. */
  async connect(): Promise<SqliteConnection> {
    const { mustExist } = this.#settings;
    const connection = new SqliteConnection(this.#driver, this.#settings, mustExist);
    try {
      await this.#begin(connection);
    } catch (error) {
      connection.close();
      throw error;
    }
    this.#connection = connection;
    return connection;
  }

  async prepare(): Promise<void> {
    if (this.#settings.mustExist) return;
    if (this.#connection === undefined) await createDatabaseFile(this.#settings);
    const connection = this.#connection ?? (await this.connect());
    await migrateSchema(connection, this.#settings.migrations);
  }

  async load(block: BlockToLoad, watch: LoadWatch = {}): Promise<LoadOutcome> {
    if (this.#connection === undefined) await this.prepare();
    return loadIntoSqlite(this.#connected(), block, watch);
  }

  async status(): Promise<readonly BlockStatus[]> {
    return readStatus(this.#connected());
  }

  async open(name: string): Promise<StoredBlock> {
    this.#connected();
    const reader = new SqliteConnection(this.#driver, this.#settings, true);
    this.#readers.push(reader);
    reader.exec('begin');
    // The first reading is the moment that all of it is of.
    const faults = await reader.patiently(() => this.#schemaFaults(reader));
    return openStoredBlock(reader, name, faults);
  }

  async close(): Promise<void> {
    await Promise.resolve();
    for (const reader of this.#readers) reader.close();
    this.#connection?.close();
  }

  #connected(): SqliteConnection {
    if (this.#connection === undefined) throw noDatabase(this.#settings);
    return this.#connection;
  }

  async #begin(connection: SqliteConnection): Promise<void> {
    const { mustExist, migrations } = this.#settings;
    const latest = migrations.length;
    const version = await connection.patiently(() => schemaVersion(connection, latest));
    if (mustExist) {
      const refusal =
        version === 0 ? noDatabase(this.#settings) : otherSchema(this.label, version, latest);
      if (refusal !== undefined) throw refusal;
      return;
    }
    // Left alone, this driver would not wait for the disk at the end of a transaction.
    connection.exec('pragma synchronous = full; pragma foreign_keys = on');
  }

  #schemaFaults(reader: SqliteConnection): readonly string[] {
    const inMemory = { ...this.#settings, path: ':memory:' };
    const model = new SqliteConnection(this.#driver, inMemory, false);
    try {
      return schemaFaults(reader, model, this.#settings.migrations);
    } finally {
      model.close();
    }
  }
}
