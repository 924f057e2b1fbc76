import { defined } from '../core/assert.js';

/** Subsets whose table would be larger than this are worked out one by one. */
const MOST_TABLE_BYTES = 1 << 20;

/**
 * All subsets of `taken` out of `cells` cells, in lexicographic order of their ascending cells, and
 * each with the cells that it leaves.
 */
export class Subsets {
  readonly cells: number;
  readonly taken: number;
  /** How many there are: the bound of the draw that chooses one. Exact, below 2^53. */
  readonly count: number;
  /**
   * Where {@link locate} points to: a subset is a run of `cells` numbers, first its taken cells
   * ascending, then the left ones ascending.
   */
  readonly order: Uint8Array;
  readonly #isTable: boolean;

  constructor(cells: number, taken: number) {
    this.cells = cells;
    this.taken = taken;
    this.count = choose(cells, taken);
    this.#isTable = this.count * cells <= MOST_TABLE_BYTES;
    this.order = new Uint8Array(this.#isTable ? this.count * cells : cells);
    for (let rank = 0; this.#isTable && rank < this.count; rank += 1) {
      this.#unrank(rank, rank * cells);
    }
  }

  /**
   * Finds the subset of a rank, 0 to `count - 1`.
   *
   * @returns Where its run starts in {@link order}; it holds until the next call.
   */
  locate(rank: number): number {
    if (this.#isTable) return rank * this.cells;
    this.#unrank(rank, 0);
    return 0;
  }

  #unrank(rank: number, start: number): void {
    const { cells, taken, order } = this;
    let left = rank;
    let takenSoFar = 0;
    for (let cell = 0; cell < cells; cell += 1) {
      const withThisCell = choose(cells - cell - 1, taken - takenSoFar - 1);
      if (left < withThisCell) {
        order[start + takenSoFar] = cell;
        takenSoFar += 1;
      } else {
        left -= withThisCell;
        order[start + taken + cell - takenSoFar] = cell;
      }
    }
  }
}

const PASCAL: number[][] = [[1]];

/** The number of `taken`-subsets of `cells` cells (cells up to 64, the result below 2^53). */
export function choose(cells: number, taken: number): number {
  if (taken < 0 || taken > cells) return 0;
  for (let row = PASCAL.length; row <= cells; row += 1) {
    const above = defined(PASCAL[row - 1], 'a row of the triangle');
    PASCAL.push([1, ...above.map((value, index) => value + (above[index + 1] ?? 0))]);
  }
  return PASCAL[cells]?.[taken] ?? 0;
}

/** Cells that a table of subsets may have; a grid has at most 8 rows of 8. */
const MOST_CELLS = 64;

/** Hands out {@link Subsets}, each made once, when it is first needed. */
export class SubsetTables {
  readonly #made: (Subsets | undefined)[] = new Array<undefined>((MOST_CELLS + 1) ** 2);

  get(cells: number, taken: number): Subsets {
    const index = cells * (MOST_CELLS + 1) + taken;
    return (this.#made[index] ??= new Subsets(cells, taken));
  }
}
