import { defined } from '../../core/assert.js';
import { ROW_BYTES } from '../../core/row-text.js';
import type { RowsGame, Stake } from '../../definitions/game.js';

/**
 * All rows that may be drawn, packed, by what they are. Within a table the rows stand in
 * lexicographic order, letters in the definition's order of symbols.
 */
export interface RowTables {
  /** Losing rows by their number of EXTRA symbols. */
  readonly losing: readonly Float64Array[];
  /** Rows that win one line of the pay table, by its index, then by their number of EXTRA symbols. */
  readonly winning: readonly (readonly Float64Array[])[];
}

/** Sorts every possible row of a game into its table. */
export function makeRowTables(game: RowsGame, stake: Stake): RowTables {
  const { columns } = game.grid;
  const perExtraCount = (): number[][] => Array.from({ length: columns + 1 }, () => []);
  const losing = perExtraCount();
  const winning = stake.payTable.map(perExtraCount);
  const trigger = game.symbols.findIndex(({ role }) => role === 'trigger');
  const paying = stake.payTable.map(({ symbol, count }) => ({
    symbol: game.symbols.findIndex(({ code }) => code === symbol),
    count,
  }));
  forEachRow(game, (row, counts) => {
    const line = paying.findIndex(({ symbol, count }) => counts[symbol] === count);
    const table = line < 0 ? losing : defined(winning[line], 'the tables of a pay line');
    defined(table[counts[trigger] ?? 0], 'the table of an EXTRA count').push(row);
  });
  const pack = (tables: readonly number[][]): Float64Array[] =>
    tables.map((rows) => Float64Array.from(rows));
  return { losing: pack(losing), winning: winning.map(pack) };
}

/**
 * Goes through all rows in lexicographic order.
 *
 * @param visit - Takes a row, packed, and how often it has each symbol; the list is used again.
 */
function forEachRow(
  { symbols, grid: { columns } }: RowsGame,
  visit: (row: number, counts: Uint8Array) => void,
): void {
  const letters = Uint8Array.from(symbols, ({ code }) => code.charCodeAt(0));
  const bytes = new Uint8Array(ROW_BYTES);
  const packed = new Float64Array(bytes.buffer);
  const counts = new Uint8Array(symbols.length);
  const place = (column: number): void => {
    for (let symbol = 0; symbol < letters.length; symbol += 1) {
      bytes[column] = letters[symbol] ?? 0;
      counts[symbol] = (counts[symbol] ?? 0) + 1;
      if (column + 1 < columns) place(column + 1);
      else visit(packed[0] ?? 0, counts);
      counts[symbol] = (counts[symbol] ?? 0) - 1;
    }
  };
  place(0);
}
