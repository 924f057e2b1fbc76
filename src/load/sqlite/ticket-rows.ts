import { assert, defined } from '../../core/assert.js';
import { InputError, MachineError } from '../../core/errors.js';
import { VERIFY_HINT } from '../../verify/block-file.js';
import type { SqliteConnection, SqliteStatement, SqliteValue } from './sqlite-connection.js';
import { CONSTRAINT, sqliteWords } from './sqlite-error.js';

/** How many rows a statement takes: with more of them it gets no quicker. */
const ROWS_AT_ONCE = 100;

/** Enters the tickets of a block, which come as whole lines of `tickets.csv`. */
export class TicketRows {
  readonly #connection: SqliteConnection;
  readonly #name: string;
  readonly #blockId: number;
  readonly #statement: SqliteStatement;
  #values: SqliteValue[] = [];
  #rows = 0;

  constructor(
    connection: SqliteConnection,
    block: { readonly name: string; readonly blockId: number },
  ) {
    this.#connection = connection;
    this.#name = block.name;
    this.#blockId = block.blockId;
    this.#statement = this.#prepare(ROWS_AT_ONCE);
  }

  /**
   * Adds the tickets of some lines.
   *
   * @throws InputError `not-a-block` where a ticket cannot be one of a block; MachineError.
   */
  add(csv: Uint8Array): void {
    const text = Buffer.from(csv.buffer, csv.byteOffset, csv.byteLength).toString('latin1');
    for (let start = 0; start < text.length;) {
      const end = text.indexOf('\n', start);
      this.#addLine(text.slice(start, end));
      start = end + 1;
    }
  }

  /** Enters what is left. Throws like {@link add}. */
  flush(): void {
    if (this.#rows > 0) this.#run(this.#prepare(this.#rows));
  }

  #addLine(line: string): void {
    // No field is ever quoted: the decoder takes nothing that has a comma.
    const [number, prizeCents, combination, grids, ...others] = line.split(',');
    assert(others.length === 0, 'a line of four fields');
    this.#values.push(
      Number(number),
      Number(prizeCents),
      defined(combination, 'a combination'),
      defined(grids, 'grids'),
    );
    this.#rows += 1;
    if (this.#rows === ROWS_AT_ONCE) this.#run(this.#statement);
  }

  #run(statement: SqliteStatement): void {
    try {
      statement.run(this.#values);
    } catch (error) {
      if (!(error instanceof MachineError) || error.code !== CONSTRAINT) throw error;
      const message = `${this.#name} was not loaded: the tables refuse a ticket (${sqliteWords(error.cause)}); ${VERIFY_HINT}`;
      throw new InputError('not-a-block', message, { cause: error });
    }
    this.#values = [];
    this.#rows = 0;
  }

  #prepare(rows: number): SqliteStatement {
    const row = `(${this.#blockId}, ?, ?, ?, ?)`;
    const places = Array.from({ length: rows }, () => row).join();
    return this.#connection.prepare(
      `insert into tickets (block_id, number, prize_cents, combination, grids) values ${places}`,
    );
  }
}
