import type { ByteWindow, DecodedRecord } from '../../formats/record-decoder.js';
import { bitCount } from './bit-count.js';
import type { CollectLaw } from './collect-law.js';

/** Sums over tickets that the number of equal neighbours depends on. */
export interface JoinSums {
  /** Equal neighbours that were found in rows and in columns. */
  horizontal: number;
  vertical: number;
  /** Of each ticket's symbol counts: pairs, squared pairs, triples, and fours out of two pairs. */
  pairs: number;
  squaredPairs: number;
  triples: number;
  fours: number;
}

/** Counts the grids of tickets of the collect mechanic, by choice and number of chosen symbols. */
export class CollectCounts {
  /** Tickets by their number of chosen symbols. */
  readonly tickets: Float64Array;
  readonly #law: CollectLaw;
  readonly #symbolOfLetter = new Uint8Array(256);
  readonly #cellCounts: Uint32Array;
  readonly #symbolCounts: Uint32Array;
  readonly #rowCounts: Uint32Array;
  readonly #overlaps: Float64Array;
  readonly #joins: readonly JoinSums[];
  /** The symbols of the grid in hand. */
  readonly #grid: Uint8Array;
  readonly #counts: Uint8Array;
  /** By choice: the cells of the chosen symbol, as bits. */
  readonly #chosenCells: Uint32Array;

  constructor(law: CollectLaw) {
    const { cells, rows, columns, letters, choices } = law;
    this.#law = law;
    letters.forEach((letter, symbol) => (this.#symbolOfLetter[letter.charCodeAt(0)] = symbol));
    const perChosen = choices.length * (cells + 1);
    this.tickets = new Float64Array(cells + 1);
    this.#cellCounts = new Uint32Array(perChosen * cells * letters.length);
    this.#symbolCounts = new Uint32Array(perChosen * letters.length * (cells + 1));
    this.#rowCounts = new Uint32Array(perChosen * rows * (columns + 1));
    this.#overlaps = new Float64Array(choices.length * perChosen);
    this.#joins = Array.from({ length: choices.length * 2 }, () => ({
      horizontal: 0,
      vertical: 0,
      pairs: 0,
      squaredPairs: 0,
      triples: 0,
      fours: 0,
    }));
    this.#grid = new Uint8Array(cells);
    this.#counts = new Uint8Array(letters.length);
    this.#chosenCells = new Uint32Array(choices.length);
  }

  /** @param chosen - The ticket's number of chosen symbols. */
  take(window: ByteWindow, record: DecodedRecord, chosen: number): void {
    const choiceCount = this.#law.choices.length;
    this.tickets[chosen] = (this.tickets[chosen] ?? 0) + 1;
    for (let choice = 0; choice < choiceCount; choice += 1) {
      this.#readGrid(window.bytes, record.rowStarts, choice);
      this.#countCells(choice, chosen);
      this.#countSymbols(choice, chosen);
      this.#countChosenRows(choice, chosen);
      this.#countJoins(choice, record.prizeCents > 0);
    }
    this.#countOverlaps(chosen);
  }

  /** By cell, then symbol: what stands there in grids with so many chosen symbols. */
  cellsOf(choice: number, chosen: number): Uint32Array {
    const size = this.#law.cells * this.#law.letters.length;
    return slice(this.#cellCounts, this.#index(choice, chosen), size);
  }

  /** By number: grids with so many of the symbol. */
  countsOf(choice: number, chosen: number, symbol: number): Uint32Array {
    const index = this.#index(choice, chosen) * this.#law.letters.length + symbol;
    return slice(this.#symbolCounts, index, this.#law.cells + 1);
  }

  /** By number: grids with so many of the chosen symbol in the row. */
  chosenInRow(choice: number, chosen: number, row: number): Uint32Array {
    const index = this.#index(choice, chosen) * this.#law.rows + row;
    return slice(this.#rowCounts, index, this.#law.columns + 1);
  }

  /** Cells that have the chosen symbol in the grids of both choices. */
  overlapOf(choice: number, other: number, chosen: number): number {
    return this.#overlaps[this.#overlapIndex(choice, other, chosen)] ?? 0;
  }

  joinsOf(choice: number, isWinning: boolean): JoinSums | undefined {
    return this.#joins[choice * 2 + (isWinning ? 1 : 0)];
  }

  #index(choice: number, chosen: number): number {
    return choice * (this.#law.cells + 1) + chosen;
  }

  #overlapIndex(choice: number, other: number, chosen: number): number {
    return this.#index(choice, chosen) * this.#law.choices.length + other;
  }

  #readGrid(bytes: Uint8Array, rowStarts: Int32Array, choice: number): void {
    const { rows, columns } = this.#law;
    let cell = 0;
    for (let row = choice * rows; row < (choice + 1) * rows; row += 1) {
      const start = rowStarts[row] ?? 0;
      for (let at = start; at < start + columns; at += 1) {
        this.#grid[cell] = this.#symbolOfLetter[bytes[at] ?? 0] ?? 0;
        cell += 1;
      }
    }
  }

  #countCells(choice: number, chosen: number): void {
    const symbolCount = this.#law.letters.length;
    const chosenSymbol = this.#law.choices[choice]?.chosen ?? 0;
    const grid = this.#grid;
    let at = this.#index(choice, chosen) * grid.length * symbolCount;
    let chosenCells = 0;
    this.#counts.fill(0);
    for (let cell = 0; cell < grid.length; cell += 1) {
      const symbol = grid[cell] ?? 0;
      this.#cellCounts[at + symbol] = (this.#cellCounts[at + symbol] ?? 0) + 1;
      this.#counts[symbol] = (this.#counts[symbol] ?? 0) + 1;
      if (symbol === chosenSymbol) chosenCells |= 1 << cell;
      at += symbolCount;
    }
    this.#chosenCells[choice] = chosenCells;
  }

  #countSymbols(choice: number, chosen: number): void {
    const counts = this.#counts;
    const size = this.#law.cells + 1;
    let at = this.#index(choice, chosen) * counts.length * size;
    for (const count of counts) {
      const index = at + count;
      this.#symbolCounts[index] = (this.#symbolCounts[index] ?? 0) + 1;
      at += size;
    }
  }

  #countChosenRows(choice: number, chosen: number): void {
    const { rows, columns } = this.#law;
    const mask = 2 ** columns - 1;
    let cells = this.#chosenCells[choice] ?? 0;
    let at = this.#index(choice, chosen) * rows * (columns + 1);
    for (let row = 0; row < rows; row += 1) {
      const index = at + bitCount(cells & mask);
      this.#rowCounts[index] = (this.#rowCounts[index] ?? 0) + 1;
      cells >>>= columns;
      at += columns + 1;
    }
  }

  #countJoins(choice: number, isWinning: boolean): void {
    const sums = this.#joins[choice * 2 + (isWinning ? 1 : 0)];
    if (sums === undefined) return;
    const { horizontal, vertical } = this.#equalNeighbours();
    sums.horizontal += horizontal;
    sums.vertical += vertical;
    let pairs = 0;
    let triples = 0;
    let fours = 0;
    for (const count of this.#counts) {
      const two = count * (count - 1);
      pairs += two;
      triples += two * (count - 2);
      fours += two * (count - 2) * (count - 3) - two * two;
    }
    sums.pairs += pairs;
    sums.squaredPairs += pairs * pairs;
    sums.triples += triples;
    sums.fours += fours + pairs * pairs;
  }

  /** Equal symbols side by side and one above the other, in the grid in hand. */
  #equalNeighbours(): { readonly horizontal: number; readonly vertical: number } {
    const { rows, columns, cells } = this.#law;
    const grid = this.#grid;
    let horizontal = 0;
    let vertical = 0;
    for (let row = 0; row < rows; row += 1) {
      let left = grid[row * columns];
      for (let cell = row * columns + 1; cell < (row + 1) * columns; cell += 1) {
        const right = grid[cell];
        if (left === right) horizontal += 1;
        left = right;
      }
    }
    for (let cell = columns; cell < cells; cell += 1) {
      if (grid[cell] === grid[cell - columns]) vertical += 1;
    }
    return { horizontal, vertical };
  }

  #countOverlaps(chosen: number): void {
    const choiceCount = this.#law.choices.length;
    for (let choice = 0; choice < choiceCount; choice += 1) {
      for (let other = choice + 1; other < choiceCount; other += 1) {
        const both = (this.#chosenCells[choice] ?? 0) & (this.#chosenCells[other] ?? 0);
        const at = this.#overlapIndex(choice, other, chosen);
        this.#overlaps[at] = (this.#overlaps[at] ?? 0) + bitCount(both);
      }
    }
  }
}

function slice(array: Uint32Array, index: number, size: number): Uint32Array {
  return array.subarray(index * size, (index + 1) * size);
}
