import { assert } from '../../core/assert.js';
import type { Stake } from '../../definitions/game.js';

/** What a row of a ticket is: a losing row, or the pay table index of the line that it wins. */
export const LOSING_ROW = -1;

/** Placements up to this many are listed once; more are worked out one by one. */
const MOST_LISTED = 64;

/** What placements are counted for. */
export interface PlacementInput {
  readonly stake: Stake;
  readonly grid: { readonly rows: number; readonly columns: number };
  /** The winning rows to place, as pay table indexes, ascending. */
  readonly composition: readonly number[];
  /** The number of EXTRA symbols in each grid, for which room must be left. */
  readonly extra: readonly number[];
}

/** A line of the pay table that a composition wins, one or more times. */
interface Line {
  readonly index: number;
  readonly copies: number;
  /** Cells of its row that the EXTRA symbols may take. */
  readonly spareCells: number;
  /** What one copy weighs in the number that states how many of each line are still to place. */
  readonly unit: number;
}

/** The state between two rows: free cells in the grid so far, and the winning rows still to place. */
interface State {
  readonly room: number;
  readonly toPlace: number;
}

/**
 * All ways to place a ticket's winning rows that leave room for its EXTRA symbols, in lexicographic
 * order of the rows from the first grid's first row on: a losing row comes before a winning one, and
 * winning ones come in pay table order. Equal winning rows are not told apart.
 */
export class Placements {
  /** How many there are: the bound of the draw that chooses one. */
  readonly count: number;
  readonly #input: PlacementInput;
  readonly #rowCount: number;
  readonly #lines: readonly Line[];
  readonly #start: State;
  /** The number of ways to go on, by row and state. */
  readonly #ways = new Map<number, number>();
  readonly #listed: readonly Int8Array[] | undefined;

  constructor(input: PlacementInput) {
    this.#input = input;
    this.#rowCount = input.grid.rows * input.extra.length;
    let unit = 1;
    this.#lines = [...new Set(input.composition)].map((index): Line => {
      const copies = input.composition.filter((item) => item === index).length;
      const spareCells = input.grid.columns - (input.stake.payTable[index]?.count ?? 0);
      const line = { index, copies, spareCells, unit };
      unit *= copies + 1;
      return line;
    });
    this.#start = { room: 0, toPlace: unit - 1 };
    this.count = this.#waysFrom(0, this.#start);
    assert(
      this.count > 0 && this.count <= 2 ** 32,
      () =>
        `rows ${input.composition.join('+')} with EXTRA ${input.extra.join()}: ${this.count} ways`,
    );
    if (this.count <= MOST_LISTED) {
      this.#listed = Array.from({ length: this.count }, (_, rank) => this.#unrank(rank));
    }
  }

  /**
   * The placement of a rank: for each row of the ticket {@link LOSING_ROW} or a pay table index.
   *
   * @param rank - 0 to `count - 1`.
   */
  at(rank: number): Int8Array {
    return this.#listed?.[rank] ?? this.#unrank(rank);
  }

  #unrank(rank: number): Int8Array {
    const placement = new Int8Array(this.#rowCount).fill(LOSING_ROW);
    let state = this.#start;
    let left = rank;
    for (let row = 0; row < this.#rowCount; row += 1) {
      for (const line of [undefined, ...this.#lines]) {
        const next = this.#after(row, state, line);
        const ways = next === undefined ? 0 : this.#waysFrom(row + 1, next);
        if (next !== undefined && left < ways) {
          placement[row] = line?.index ?? LOSING_ROW;
          state = next;
          break;
        }
        left -= ways;
      }
    }
    return placement;
  }

  /** The number of ways to place what is left on the rows from `row` on. */
  #waysFrom(row: number, state: State): number {
    if (row === this.#rowCount) return state.toPlace === 0 ? 1 : 0;
    const { rows, columns } = this.#input.grid;
    const key = (state.toPlace * this.#rowCount + row) * (rows * columns + 1) + state.room;
    const known = this.#ways.get(key);
    if (known !== undefined) return known;
    let ways = 0;
    for (const line of [undefined, ...this.#lines]) {
      const next = this.#after(row, state, line);
      if (next !== undefined) ways += this.#waysFrom(row + 1, next);
    }
    this.#ways.set(key, ways);
    return ways;
  }

  /** The state after a losing row (no line) or a winning one; `undefined` where it cannot be. */
  #after(row: number, state: State, line: Line | undefined): State | undefined {
    const { grid, extra } = this.#input;
    const placeable = line === undefined || copiesLeft(state, line) > 0;
    const room = state.room + (line?.spareCells ?? grid.columns);
    const isLastOfGrid = (row + 1) % grid.rows === 0;
    const hasRoom = !isLastOfGrid || room >= (extra[Math.floor(row / grid.rows)] ?? 0);
    if (!placeable || !hasRoom) return undefined;
    return { room: isLastOfGrid ? 0 : room, toPlace: state.toPlace - (line?.unit ?? 0) };
  }
}

function copiesLeft({ toPlace }: State, { unit, copies }: Line): number {
  return Math.floor(toPlace / unit) % (copies + 1);
}
