import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { InputError, machineError, printable, systemErrorCode } from '../../core/errors.js';
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
import { migrateSchema, schemaFaults, schemaVersion, sqliteMigrations } from './sqlite-schema.js';
import { readStatus } from './sqlite-status.js';
import { openStoredBlock } from './sqlite-stored-block.js';

/** A load of a large block by another process takes some seconds. */
const PATIENCE_MS = 60_000;

const OWNER_ONLY = 0o600;

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
 * Opens a database that tickets are sold from, in a file of SQLite. A new file is its owner's only.
 *
 * @throws InputError `not-found`, `newer-schema`, `older-schema`; MachineError, also where SQLite is not installed.
 */
export async function openSqliteDatabase(
  path: string,
  options: SqliteOptions = {},
): Promise<SalesDatabase> {
  const { mustExist = false, migrations = sqliteMigrations(), patienceMs = PATIENCE_MS } = options;
  const target = { path, label: `sqlite:${printable(path)}`, patienceMs };
  const driver = await loadSqliteDriver();
  if (!mustExist) await createUnlessThere(path);
  await checkFile(target);
  const connection = new SqliteConnection(driver, target, mustExist);
  const database = new SqliteDatabase(driver, connection, { ...target, mustExist, migrations });
  try {
    await database.begin();
  } catch (error) {
    connection.close();
    throw error;
  }
  return database;
}

/**
 * Creates an empty file, which SQLite takes for an empty database. What is there is not even opened:
 * to close it would let go of the locks that this process has on it.
 */
async function createUnlessThere(path: string): Promise<void> {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  try {
    const handle = await open(path, O_CREAT | O_EXCL | O_WRONLY, OWNER_ONLY);
    await handle.close();
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw machineError('create', path, error);
  }
}

async function checkFile({ path, label }: SqliteTarget): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw noDatabase(label);
    throw machineError('read', path, error);
  });
  if (found.isFile()) return;
  throw new InputError('not-found', `${label} is not a regular file; choose another file`);
}

function noDatabase(label: string): InputError {
  return new InputError('not-found', `there is no database ${label}; load a block first`);
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
  readonly #connection: SqliteConnection;
  readonly #settings: SqliteSettings;
  /** Each block that is read has one of its own, with the moment that it is read at. */
  readonly #readers: SqliteConnection[] = [];

  constructor(driver: SqliteDriver, connection: SqliteConnection, settings: SqliteSettings) {
    this.label = settings.label;
    this.#driver = driver;
    this.#connection = connection;
    this.#settings = settings;
  }

  /** Makes sure that it is a database to sell from, or may become one. */
  async begin(): Promise<void> {
    const { mustExist, migrations } = this.#settings;
    const latest = migrations.length;
    const version = await this.#connection.patiently(() => schemaVersion(this.#connection, latest));
    if (mustExist) {
      if (version === 0) throw noDatabase(this.label);
      if (version < latest) {
        const message = `${this.label} has schema version ${version}, made by an earlier version of this program, which has ${latest}; gen-block load brings it up to date`;
        throw new InputError('older-schema', message);
      }
      return;
    }
    // Left alone, this driver would not wait for the disk at the end of a transaction.
    this.#connection.exec('pragma synchronous = full; pragma foreign_keys = on');
  }

  async prepare(): Promise<void> {
    if (this.#settings.mustExist) return;
    await migrateSchema(this.#connection, this.#settings.migrations);
  }

  async load(block: BlockToLoad, watch: LoadWatch = {}): Promise<LoadOutcome> {
    return loadIntoSqlite(this.#connection, block, watch);
  }

  async status(): Promise<readonly BlockStatus[]> {
    return readStatus(this.#connection);
  }

  async open(name: string): Promise<StoredBlock> {
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
    this.#connection.close();
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
