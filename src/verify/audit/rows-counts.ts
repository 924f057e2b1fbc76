import type { ByteWindow, DecodedRecord } from '../../formats/record-decoder.js';
import { LOSING, type RowsLaw } from './rows-law.js';

/** Tickets of one outcome with one vector of EXTRA symbols, and where their winning rows are. */
export interface VectorTally {
  readonly outcome: number;
  /** EXTRA symbols in each grid, main grid first. */
  readonly extra: readonly number[];
  tickets: number;
  /** By the lines of all rows, joined by commas; winning tickets only. */
  readonly placements: Map<string, number>;
}

/** Grids of one kind with EXTRA symbols, and on which rows these fell. */
export interface SpreadTally {
  readonly isWinning: boolean;
  /** The cells that each row leaves to EXTRA symbols. */
  readonly spareCells: readonly number[];
  readonly extra: number;
  /** By the {@link digitsKey} of the numbers of EXTRA symbols in each row. */
  readonly ways: Map<number, number>;
}

/** Which rows a table counts. */
export interface Place {
  readonly isWinning: boolean;
  /** Whether the row is in an EXTRA stage and not in the main grid. */
  readonly isStage: boolean;
  readonly row: number;
}

/** Counts the rows of tickets of the rows mechanic by what and where they are. */
export class RowsCounts {
  /** By ticket: the code of the main grid's first row. */
  readonly firstRows: Uint32Array;
  readonly vectors = new Map<string, VectorTally>();
  readonly spreads = new Map<number, SpreadTally>();
  /** By prize of winning tickets: the symbols of their losing rows without EXTRA, and these rows. */
  readonly fillers = new Map<number, { rows: number; readonly symbols: Float64Array }>();
  readonly #law: RowsLaw;
  readonly #letterValues = new Uint8Array(256);
  readonly #plainKind: number;
  /** By place and row code. */
  readonly #rowCounts: Uint32Array;
  /** By win, upper row of the main grid, column, upper and lower symbol; losing rows without EXTRA. */
  readonly #verticalPairs: Uint32Array;
  /** By win, main grid or stages, and cell: the EXTRA symbol of grids with a single one. */
  readonly #singleExtras: Uint32Array;
  /** By outcome: the tallies of tickets without stages. */
  readonly #singleGrids: VectorTally[] = [];
  /** The codes of the rows of the ticket in hand. */
  readonly #codes: number[] = [];
  #ticket = 0;

  constructor(law: RowsLaw, tickets: number) {
    this.#law = law;
    law.letters.forEach((letter, value) => (this.#letterValues[letter.charCodeAt(0)] = value));
    this.#plainKind = law.kinds.indexOf(law.plain);
    this.firstRows = new Uint32Array(tickets);
    this.#rowCounts = new Uint32Array(4 * law.rows * law.rowCount);
    const pairs = (law.rows - 1) * law.columns * law.symbolCount ** 2;
    this.#verticalPairs = new Uint32Array(2 * pairs);
    this.#singleExtras = new Uint32Array(4 * law.rows * law.columns);
  }

  take(window: ByteWindow, record: DecodedRecord, outcome: number): void {
    const { rows, rowCount } = this.#law;
    const isWinning = record.prizeCents > 0;
    const codes = this.#codes;
    const rowTotal = record.gridCount * rows;
    const win = isWinning ? 2 * rows : 0;
    for (let row = 0; row < rowTotal; row += 1) {
      const code = this.#readRow(window.bytes, record.rowStarts[row] ?? 0);
      codes[row] = code;
      const place = win + (row < rows ? row : rows + (row % rows));
      const at = place * rowCount + code;
      this.#rowCounts[at] = (this.#rowCounts[at] ?? 0) + 1;
    }
    this.firstRows[this.#ticket] = codes[0] ?? 0;
    this.#ticket += 1;
    this.#countVerticalPairs(isWinning);
    this.#countVector(record, outcome);
    if (isWinning) this.#countFillers(record.prizeCents, rowTotal);
  }

  /** How often each row stands at a place. */
  rowsAt(place: Place): Uint32Array {
    const { rows, rowCount } = this.#law;
    const start = placeIndex(place, rows) * rowCount;
    return this.#rowCounts.subarray(start, start + rowCount);
  }

  /** By upper and lower symbol: neighbours in a column of the main grid, in rows without EXTRA. */
  verticalPairsAt(pair: {
    readonly isWinning: boolean;
    readonly upperRow: number;
    readonly column: number;
  }): Uint32Array {
    const size = this.#law.symbolCount ** 2;
    const start = this.#pairIndex(pair.isWinning, pair.upperRow, pair.column) * size;
    return this.#verticalPairs.subarray(start, start + size);
  }

  /** By cell: the EXTRA symbols of grids that have a single one. */
  singleExtrasOf(isWinning: boolean, isStage: boolean): Uint32Array {
    const cells = this.#law.rows * this.#law.columns;
    const start = ((isWinning ? 2 : 0) + (isStage ? 1 : 0)) * cells;
    return this.#singleExtras.subarray(start, start + cells);
  }

  #readRow(bytes: Uint8Array, start: number): number {
    const { columns, symbolCount } = this.#law;
    let code = 0;
    for (let at = start; at < start + columns; at += 1) {
      code = code * symbolCount + (this.#letterValues[bytes[at] ?? 0] ?? 0);
    }
    return code;
  }

  #pairIndex(isWinning: boolean, upperRow: number, column: number): number {
    const { rows, columns } = this.#law;
    return ((isWinning ? rows - 1 : 0) + upperRow) * columns + column;
  }

  #countVerticalPairs(isWinning: boolean): void {
    const { rows, columns, symbolCount, kindOf } = this.#law;
    for (let row = 0; row < rows - 1; row += 1) {
      let upper = this.#codes[row] ?? 0;
      let lower = this.#codes[row + 1] ?? 0;
      if (kindOf[upper] !== this.#plainKind || kindOf[lower] !== this.#plainKind) continue;
      for (let column = columns - 1; column >= 0; column -= 1) {
        const upperSymbol = upper % symbolCount;
        const lowerSymbol = lower % symbolCount;
        upper = (upper - upperSymbol) / symbolCount;
        lower = (lower - lowerSymbol) / symbolCount;
        const pair = this.#pairIndex(isWinning, row, column);
        const at = (pair * symbolCount + upperSymbol) * symbolCount + lowerSymbol;
        this.#verticalPairs[at] = (this.#verticalPairs[at] ?? 0) + 1;
      }
    }
  }

  #countVector({ gridCount, prizeCents }: DecodedRecord, outcome: number): void {
    const isWinning = prizeCents > 0;
    let tally: VectorTally;
    if (gridCount === 1) {
      // Without stages there is no EXTRA symbol: one vector for each outcome.
      tally = this.#singleGrids[outcome] ??= this.#tallyOf(outcome, [0]);
    } else {
      const extra = this.#extraOfGrids(gridCount);
      tally = this.#tallyOf(outcome, extra);
      extra.forEach((count, grid) => {
        if (count > 0) this.#countSpread(grid, count, isWinning);
      });
    }
    tally.tickets += 1;
    if (isWinning) addOne(tally.placements, this.#linesOf(gridCount * this.#law.rows).join());
  }

  #extraOfGrids(gridCount: number): readonly number[] {
    const { rows } = this.#law;
    const extra = new Array<number>(gridCount).fill(0);
    for (let row = 0; row < gridCount * rows; row += 1) {
      const grid = Math.floor(row / rows);
      extra[grid] = (extra[grid] ?? 0) + this.#kindAt(row).extra;
    }
    return extra;
  }

  #tallyOf(outcome: number, extra: readonly number[]): VectorTally {
    const key = `${outcome}:${extra.join()}`;
    let tally = this.vectors.get(key);
    if (tally === undefined) {
      tally = { outcome, extra, tickets: 0, placements: new Map() };
      this.vectors.set(key, tally);
    }
    return tally;
  }

  #countSpread(grid: number, extra: number, isWinning: boolean): void {
    const { rows } = this.#law;
    let key = isWinning ? 1 : 0;
    let way = 0;
    for (let row = grid * rows; row < (grid + 1) * rows; row += 1) {
      const kind = this.#kindAt(row);
      key = key * DIGIT + this.#law.spareCells(kind.line);
      way = way * DIGIT + kind.extra;
    }
    key = key * DIGIT + extra;
    let tally = this.spreads.get(key);
    if (tally === undefined) {
      const spareCells = Array.from({ length: rows }, (_, row) =>
        this.#law.spareCells(this.#kindAt(grid * rows + row).line),
      );
      tally = { isWinning, spareCells, extra, ways: new Map() };
      this.spreads.set(key, tally);
    }
    addOne(tally.ways, way);
    if (extra === 1) this.#countSingleExtra(grid, isWinning);
  }

  #countSingleExtra(grid: number, isWinning: boolean): void {
    const { rows, columns, trigger } = this.#law;
    const counts = this.singleExtrasOf(isWinning, grid > 0);
    for (let cell = 0; cell < rows * columns; cell += 1) {
      const code = this.#codes[grid * rows + Math.floor(cell / columns)] ?? 0;
      if (this.#law.symbolAt(code, cell % columns) !== trigger) continue;
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
  }

  #countFillers(prizeCents: number, rowTotal: number): void {
    const { symbolCount, kindOf, columns } = this.#law;
    let filler = this.fillers.get(prizeCents);
    if (filler === undefined) {
      filler = { rows: 0, symbols: new Float64Array(symbolCount) };
      this.fillers.set(prizeCents, filler);
    }
    for (let row = 0; row < rowTotal; row += 1) {
      const code = this.#codes[row] ?? 0;
      if (kindOf[code] !== this.#plainKind) continue;
      filler.rows += 1;
      for (let cell = 0; cell < columns; cell += 1) {
        const symbol = this.#law.symbolAt(code, cell);
        filler.symbols[symbol] = (filler.symbols[symbol] ?? 0) + 1;
      }
    }
  }

  #kindAt(row: number): { readonly line: number; readonly extra: number } {
    return this.#law.kinds[this.#law.kindOf[this.#codes[row] ?? 0] ?? 0] ?? NO_KIND;
  }

  #linesOf(rowTotal: number): readonly number[] {
    return Array.from({ length: rowTotal }, (_, row) => this.#kindAt(row).line);
  }
}

/** Rows have at most eight cells and grids at most ten EXTRA symbols. */
const DIGIT = 16;

/** Small numbers as one. */
export function digitsKey(digits: readonly number[]): number {
  return digits.reduce((key, digit) => key * DIGIT + digit, 0);
}

const NO_KIND = { line: LOSING, extra: 0 };

function placeIndex({ isWinning, isStage, row }: Place, rows: number): number {
  return ((isWinning ? 2 : 0) + (isStage ? 1 : 0)) * rows + row;
}

function addOne<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
