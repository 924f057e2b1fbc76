import type { RowsGame, Stake } from '../../definitions/game.js';

/** What a row of no line of the pay table has for its line. */
export const LOSING = -1;

/** All rows that are alike to the rules: those of one line, or of none, with so many EXTRA symbols. */
export interface RowKind {
  /** Index into the pay table, or {@link LOSING}. */
  readonly line: number;
  readonly extra: number;
  readonly name: string;
  /** Its rows, as numbers with one digit for each cell; a ticket's row of the kind is any of them. */
  readonly codes: readonly number[];
}

/**
 * Every row that letters can form, sorted by what it is. This is the whole law of a row: given its
 * kind it is uniform over the rows of its kind, and independent of all others.
 */
export class RowsLaw {
  readonly rows: number;
  readonly columns: number;
  /** Symbols of the game; a digit of a row's code is a symbol's place among them. */
  readonly symbolCount: number;
  readonly letters: readonly string[];
  /** The EXTRA symbol; -1 where the game has none. */
  readonly trigger: number;
  /** By symbol: one less than the smallest count of it that wins; infinite where none does. */
  readonly nearCounts: readonly number[];
  /** Rows that letters can form. */
  readonly rowCount: number;
  readonly kinds: readonly RowKind[];
  /** By row code: the index of its kind. */
  readonly kindOf: Uint16Array;
  /** The kind of losing rows without EXTRA, which most rows are of. */
  readonly plain: RowKind;
  /** By cell: what one of its digit is worth in a row's code. */
  readonly #digitValues: readonly number[];
  /** By pay table index: the cells that a winning row leaves to EXTRA symbols. */
  readonly #spareCells: readonly number[];
  readonly #kindIndexes = new Map<string, number>();

  constructor(game: RowsGame, stake: Stake) {
    this.rows = game.grid.rows;
    this.columns = game.grid.columns;
    this.symbolCount = game.symbols.length;
    this.letters = game.symbols.map(({ code }) => code);
    this.trigger = game.symbols.findIndex(({ role }) => role === 'trigger');
    this.nearCounts = this.letters.map((letter) => {
      const lines = stake.payTable.filter(({ symbol }) => symbol === letter);
      return lines.reduce((least, { count }) => Math.min(least, count), Infinity) - 1;
    });
    this.rowCount = this.symbolCount ** this.columns;
    this.#digitValues = Array.from(
      { length: this.columns },
      (_, cell) => this.symbolCount ** (this.columns - 1 - cell),
    );
    this.kindOf = new Uint16Array(this.rowCount);
    this.#spareCells = stake.payTable.map(({ count }) => this.columns - count);
    this.kinds = this.#sortRows(game, stake);
    this.plain = this.kindWith(LOSING, 0) ?? { line: LOSING, extra: 0, name: '', codes: [] };
  }

  /** The kind of a line with so many EXTRA symbols; `undefined` where no row is of it. */
  kindWith(line: number, extra: number): RowKind | undefined {
    return this.kinds[this.#kindIndexes.get(kindKey(line, extra)) ?? -1];
  }

  /** The cells that a row of a line, or of none, leaves to EXTRA symbols. */
  spareCells(line: number): number {
    return line === LOSING ? this.columns : (this.#spareCells[line] ?? 0);
  }

  /** The symbol in a cell of a row. */
  symbolAt(code: number, cell: number): number {
    return Math.floor(code / (this.#digitValues[cell] ?? 1)) % this.symbolCount;
  }

  /** How often each symbol stands in a row. */
  symbolsOf(code: number): readonly number[] {
    const counts = new Array<number>(this.symbolCount).fill(0);
    for (let cell = 0; cell < this.columns; cell += 1) {
      const symbol = this.symbolAt(code, cell);
      counts[symbol] = (counts[symbol] ?? 0) + 1;
    }
    return counts;
  }

  #sortRows(game: RowsGame, stake: Stake): readonly RowKind[] {
    const kinds: { readonly line: number; readonly extra: number; readonly codes: number[] }[] = [];
    const lineCounts = stake.payTable.map(({ symbol, count }) => ({
      symbol: game.symbols.findIndex(({ code }) => code === symbol),
      count,
    }));
    for (let code = 0; code < this.rowCount; code += 1) {
      const counts = this.symbolsOf(code);
      const line = lineCounts.findIndex(({ symbol, count }) => counts[symbol] === count);
      const extra = counts[this.trigger] ?? 0;
      const key = kindKey(line, extra);
      let index = this.#kindIndexes.get(key);
      if (index === undefined) {
        index = kinds.push({ line, extra, codes: [] }) - 1;
        this.#kindIndexes.set(key, index);
      }
      kinds[index]?.codes.push(code);
      this.kindOf[code] = index;
    }
    return kinds.map((kind) => ({ ...kind, name: kindName(kind, stake) }));
  }
}

function kindKey(line: number, extra: number): string {
  return `${line}/${extra}`;
}

function kindName(
  { line, extra }: { readonly line: number; readonly extra: number },
  stake: Stake,
): string {
  const { symbol, count } = stake.payTable[line] ?? {};
  const what = symbol === undefined ? 'losing rows' : `rows of ${count ?? 0}${symbol}`;
  return extra === 0 ? what : `${what} with ${extra} EXTRA`;
}
