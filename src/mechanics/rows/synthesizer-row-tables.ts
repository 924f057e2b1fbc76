import { defined } from '../../core/assert.js';
import { packAscii } from '../../core/row-text.js';
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
  const letters = game.symbols.map((symbol) => symbol.code);
  const triggers = game.symbols.filter(({ role }) => role === 'trigger').map(({ code }) => code);
  for (const row of allRows(letters, columns)) {
    const line = stake.payTable.findIndex(
      ({ symbol, count }) => symbol !== undefined && occurrences(row, symbol) === count,
    );
    const table = line < 0 ? losing : defined(winning[line], 'the tables of a pay line');
    const extraCount = triggers.reduce((sum, code) => sum + occurrences(row, code), 0);
    defined(table[extraCount], 'the table of an EXTRA count').push(packAscii(row));
  }
  const pack = (tables: readonly number[][]): Float64Array[] =>
    tables.map((rows) => Float64Array.from(rows));
  return { losing: pack(losing), winning: winning.map(pack) };
}

function allRows(letters: readonly string[], columns: number): readonly string[] {
  let rows: readonly string[] = [''];
  for (let column = 0; column < columns; column += 1) {
    rows = rows.flatMap((row) => letters.map((letter) => row + letter));
  }
  return rows;
}

function occurrences(row: string, letter: string): number {
  let count = 0;
  for (const cell of row) {
    if (cell === letter) count += 1;
  }
  return count;
}
