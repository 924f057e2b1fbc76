import { binomial } from '../../core/binomial.js';
import { LOSING, type RowsLaw } from './rows-law.js';
import { sumOf } from '../../core/sum-of.js';

/** Winning rows to place on a ticket, and the EXTRA symbols that must find room in its grids. */
export interface Placing {
  /** Pay table indexes, ascending, one for each winning row. */
  readonly composition: readonly number[];
  /** EXTRA symbols in each grid, main grid first. */
  readonly extra: readonly number[];
}

/** What one grid of a placement counts for; the grids of a placement are multiplied. */
export type GridWeight = (lines: readonly number[], grid: number) => number;

/** The winning rows of a composition that are still to place: copies of each different line. */
type Left = readonly { readonly line: number; readonly copies: number }[];

/** One way to fill the rows of a grid, and the winning rows that it leaves to the grids behind. */
interface GridWay {
  readonly lines: readonly number[];
  readonly left: Left;
}

/** Sums and lists over all placements with room, which are equally likely. */
export class Placements {
  readonly #law: RowsLaw;
  readonly #placing: Placing;
  readonly #start: Left;
  /** By grid and what is left to place. */
  readonly #ways = new Map<string, readonly GridWay[]>();

  constructor(law: RowsLaw, placing: Placing) {
    this.#law = law;
    this.#placing = placing;
    const lines = [...new Set(placing.composition)];
    this.#start = lines.map((line) => ({
      line,
      copies: placing.composition.filter((item) => item === line).length,
    }));
  }

  /** The sum, over all placements, of the product of their grids' weights. */
  sum(weigh: GridWeight = () => 1): number {
    const known = new Map<string, number>();
    const from = (grid: number, left: Left): number => {
      if (grid === this.#placing.extra.length) return countOf(left) === 0 ? 1 : 0;
      const key = keyOf(grid, left);
      let total = known.get(key);
      if (total === undefined) {
        total = 0;
        for (const way of this.#gridWays(grid, left)) {
          total += weigh(way.lines, grid) * from(grid + 1, way.left);
        }
        known.set(key, total);
      }
      return total;
    };
    return from(0, this.#start);
  }

  /** All placements, each as the lines of the ticket's rows joined by commas. */
  list(): readonly string[] {
    const from = (grid: number, left: Left): readonly (readonly number[])[] => {
      if (grid === this.#placing.extra.length) return countOf(left) === 0 ? [[]] : [];
      return this.#gridWays(grid, left).flatMap((way) =>
        from(grid + 1, way.left).map((rest) => [...way.lines, ...rest]),
      );
    };
    return from(0, this.#start).map((lines) => lines.join());
  }

  /** Every way to fill the rows of one grid that leaves room for its EXTRA symbols. */
  #gridWays(grid: number, left: Left): readonly GridWay[] {
    const key = keyOf(grid, left);
    let ways = this.#ways.get(key);
    if (ways === undefined) {
      ways = this.#fillGrid(grid, left);
      this.#ways.set(key, ways);
    }
    return ways;
  }

  #fillGrid(grid: number, left: Left): readonly GridWay[] {
    const { rows } = this.#law;
    const later = (this.#placing.extra.length - 1 - grid) * rows;
    let ways: readonly GridWay[] = [{ lines: [], left }];
    for (let row = 0; row < rows; row += 1) {
      ways = ways.flatMap((way) => [
        { lines: [...way.lines, LOSING], left: way.left },
        ...way.left
          .filter(({ copies }) => copies > 0)
          .map(({ line }) => ({ lines: [...way.lines, line], left: without(way.left, line) })),
      ]);
    }
    const need = this.#placing.extra[grid] ?? 0;
    return ways.filter((way) => countOf(way.left) <= later && this.#room(way.lines) >= need);
  }

  #room(lines: readonly number[]): number {
    return lines.reduce((room, line) => room + this.#law.spareCells(line), 0);
  }
}

function keyOf(grid: number, left: Left): string {
  return `${grid}:${left.map(({ copies }) => copies).join()}`;
}

function without(left: Left, taken: number): Left {
  return left.map(({ line, copies }) => ({ line, copies: line === taken ? copies - 1 : copies }));
}

function countOf(left: Left): number {
  return left.reduce((sum, { copies }) => sum + copies, 0);
}

/** How the EXTRA symbols of a grid may fall on its rows, and how likely each way is. */
export interface Spread {
  readonly extraOfRow: readonly number[];
  readonly chance: number;
}

/** All ways in which `extra` symbols fall on rows with so many spare cells, all cells equally likely. */
export function spreads(spareCells: readonly number[], extra: number): readonly Spread[] {
  let ways: { readonly extraOfRow: readonly number[]; readonly count: number }[] = [
    { extraOfRow: [], count: 1 },
  ];
  for (const spare of spareCells) {
    ways = ways.flatMap(({ extraOfRow, count }) =>
      Array.from({ length: Math.min(spare, extra) + 1 }, (_, taken) => ({
        extraOfRow: [...extraOfRow, taken],
        count: count * Number(binomial(spare, taken)),
      })),
    );
  }
  const cells = sumOf(spareCells);
  const all = Number(binomial(cells, extra));
  return ways
    .filter(({ extraOfRow }) => sumOf(extraOfRow) === extra)
    .map(({ extraOfRow, count }) => ({ extraOfRow, chance: count / all }));
}

/** The chance that two tickets of one composition and vector have the same symbols everywhere. */
export function collisionChance(law: RowsLaw, placing: Placing): number {
  const placements = new Placements(law, placing);
  const known = new Map<string, number>();
  const meeting = placements.sum((lines, grid) => {
    const extra = placing.extra[grid] ?? 0;
    const key = `${extra}:${lines.join()}`;
    let chance = known.get(key);
    if (chance === undefined) {
      chance = gridCollision(law, lines, extra);
      known.set(key, chance);
    }
    return chance;
  });
  return meeting / placements.sum() ** 2;
}

function gridCollision(law: RowsLaw, lines: readonly number[], extra: number): number {
  const spare = lines.map((line) => law.spareCells(line));
  return spreads(spare, extra).reduce((sum, { extraOfRow, chance }) => {
    const rows = lines.reduce((product, line, row) => {
      const kind = law.kindWith(line, extraOfRow[row] ?? 0);
      return kind === undefined ? 0 : product / kind.codes.length;
    }, 1);
    return sum + chance ** 2 * rows;
  }, 0);
}
