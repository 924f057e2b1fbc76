import { setTimeout } from 'node:timers/promises';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { MachineError } from '../../core/errors.js';
import type { SqliteDriver } from './sqlite-driver.js';
import { BUSY, sqliteError } from './sqlite-error.js';

/** How long to wait before a lock is asked for again. */
const PAUSE_MS = 50;

/** A value of a row as it goes in. */
export type SqliteValue = number | string | null;

/** Where a database is, and how patient its users are. */
export interface SqliteTarget {
  readonly path: string;
  /** What it is called in messages. */
  readonly label: string;
  /** How long to wait for a process that holds its lock. */
  readonly patienceMs: number;
}

/** A prepared statement. */
export interface SqliteStatement {
  readonly run: (values: readonly SqliteValue[]) => void;
}

/** A connection whose errors have one line with advice, and which never blocks in order to wait. */
export class SqliteConnection {
  readonly label: string;
  readonly #database: DatabaseSyncInstance;
  readonly #patienceMs: number;
  readonly #action: string;

  /** @throws InputError `not-found`; MachineError. */
  constructor(
    { DatabaseSync }: SqliteDriver,
    { path, label, patienceMs }: SqliteTarget,
    readOnly: boolean,
  ) {
    this.label = label;
    this.#patienceMs = patienceMs;
    this.#action = readOnly ? 'read' : 'write';
    // No timeout of the driver's own: it would block this thread, and with it every signal.
    this.#database = this.#try(() => new DatabaseSync(path, { readOnly, timeout: 0 }));
  }

  /** Runs statements that give no rows. */
  exec(sql: string): void {
    this.#try(() => {
      this.#database.exec(sql);
    });
  }

  /** The rows that a statement gives, as objects with the names of their columns. */
  all(sql: string, parameters: Readonly<Record<string, SqliteValue>> = {}): readonly unknown[] {
    return this.#try((): unknown[] => this.#database.prepare(sql).all(parameters));
  }

  /** The first of the rows that a statement gives; `undefined` where it gives none. */
  first(sql: string, parameters: Readonly<Record<string, SqliteValue>> = {}): unknown {
    return this.all(sql, parameters)[0];
  }

  /** Prepares a statement that is run many times. */
  prepare(sql: string): SqliteStatement {
    const statement = this.#try(() => this.#database.prepare(sql));
    return { run: (values) => void this.#try((): unknown => statement.run(...values)) };
  }

  /**
   * Takes a step that needs a lock, again and again for as long as there is patience.
   *
   * @throws MachineError where the lock is held for longer; the signal's reason when it is aborted.
   */
  async patiently<T>(step: () => T, signal?: AbortSignal): Promise<T> {
    for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
      signal?.throwIfAborted();
      try {
        return step();
      } catch (error) {
        const isBusy = error instanceof MachineError && error.code === BUSY;
        if (!isBusy || waitedMs >= this.#patienceMs) throw error;
      }
      await setTimeout(PAUSE_MS, undefined, signal && { signal }).catch(() => {
        signal?.throwIfAborted();
      });
    }
  }

  /** Ends a transaction without a trace, where there still is one: some errors end it themselves. */
  rollback(): void {
    if (this.#database.isTransaction) this.exec('rollback');
  }

  /**
   * Lets go of the database. The driver keeps the file open until the last of its statements is no
   * longer in memory. So nothing is left to that moment: no transaction, and nothing in the log that is
   * not in the database, as far as those who still read allow.
   */
  close(): void {
    if (!this.#database.isOpen) return;
    try {
      this.rollback();
      this.exec('pragma wal_checkpoint(truncate)');
    } catch (error) {
      // Whatever was to last is on the disk already, in the log; the next one to open it goes on.
      if (!(error instanceof MachineError)) throw error;
    } finally {
      this.#try(() => this.#database.close());
    }
  }

  #try<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      throw sqliteError(this.#action, this.label, error);
    }
  }
}
