import type { ExtraStageLaw, PayLine, RowsGame, Stake } from '../../definitions/game.js';

/** Indexes into a stake's pay table, ascending, one for each winning row of a ticket. */
export type Composition = readonly number[];

/** A prize whose compositions take more steps than this to enumerate is refused by the check. */
const MOST_STEPS = 200_000;

/**
 * All compositions of a prize: every multiset of combinations, of at most `maxWinningRows` rows,
 * whose amounts add up to it (article 4.6 of Eldorado's regulation: gains add up to one prize).
 * In lexicographic order of their pay table indexes, so the highest amounts come first.
 *
 * @param payTable - By amount, highest first.
 * @returns `undefined` where the pay table is too rich to enumerate.
 */
export function compositionsOf(
  prizeCents: number,
  payTable: readonly PayLine[],
  maxWinningRows: number,
): readonly Composition[] | undefined {
  const found: Composition[] = [];
  let steps = 0;
  const extend = (chosen: Composition, firstIndex: number, restCents: number): void => {
    if (restCents === 0) found.push(chosen);
    if (restCents === 0 || chosen.length === maxWinningRows) return;
    const rowsLeft = maxWinningRows - chosen.length;
    for (let index = firstIndex; index < payTable.length && steps <= MOST_STEPS; index += 1) {
      steps += 1;
      const lineCents = payTable[index]?.prizeCents ?? 0;
      // The lines after this one pay no more than it does.
      if (lineCents * rowsLeft < restCents) return;
      if (lineCents <= restCents) extend([...chosen, index], index, restCents - lineCents);
    }
  };
  extend([], 0, prizeCents);
  return steps > MOST_STEPS ? undefined : found;
}

/** The compositions of a prize that the policy lets occur, in the order of {@link compositionsOf}. */
export function compositionsIn(options: {
  readonly game: RowsGame;
  readonly stake: Stake;
  readonly prizeCents: number;
}): readonly Composition[] | undefined {
  const { game, stake, prizeCents } = options;
  const maxWinningRows = game.policy.compositionWeights.length;
  return compositionsOf(prizeCents, stake.payTable, maxWinningRows)?.filter(
    (composition) => weightOf(game, composition) > 0,
  );
}

/** The weight of a composition; a losing ticket has the empty one only, and its weight says nothing. */
export function weightOf(game: RowsGame, composition: Composition): number {
  return game.policy.compositionWeights[composition.length - 1] ?? 1;
}

/** The cells of a row that each winning row of a composition leaves free. */
export function spareCellsOf(composition: Composition, stake: Stake, columns: number): number[] {
  return composition.map((index) => columns - (stake.payTable[index]?.count ?? columns));
}

/**
 * Whether winning rows fit into a ticket's grids together with its EXTRA symbols: each winning row
 * takes a row of some grid, and in every grid the EXTRA symbols fit into the cells that are left
 * (all cells of a losing row, the spare cells of a winning one).
 *
 * @param spareCells - The spare cells of each winning row.
 * @param extra - The number of EXTRA symbols in each grid.
 */
export function hasRoom(
  spareCells: readonly number[],
  extra: readonly number[],
  grid: { readonly rows: number; readonly columns: number },
): boolean {
  const needs = extra.toSorted((a, b) => b - a);
  const knownMisfits = new Set<string>();
  const fits = (gridIndex: number, left: readonly number[]): boolean => {
    const need = needs[gridIndex];
    if (need === undefined) return left.length === 0;
    const key = `${gridIndex}/${left.join()}`;
    if (knownMisfits.has(key)) return false;
    const found = subsetsBySize(left, grid.rows).some(({ taken, rest }) => {
      const losingCells = (grid.rows - taken.length) * grid.columns;
      const room = taken.reduce((sum, spare) => sum + spare, losingCells);
      return room >= need && fits(gridIndex + 1, rest);
    });
    if (!found) knownMisfits.add(key);
    return found;
  };
  return fits(
    0,
    spareCells.toSorted((a, b) => b - a),
  );
}

/** Every way to take at most `most` of the items, equal items counting as one. */
function subsetsBySize(
  items: readonly number[],
  most: number,
): { readonly taken: readonly number[]; readonly rest: readonly number[] }[] {
  const [first, ...others] = items;
  if (first === undefined) return [{ taken: [], rest: [] }];
  const same = items.filter((item) => item === first).length;
  const tails = others.slice(same - 1);
  const ways: { readonly taken: readonly number[]; readonly rest: readonly number[] }[] = [];
  for (let take = 0; take <= Math.min(same, most); take += 1) {
    const taken = new Array<number>(take).fill(first);
    const left = new Array<number>(same - take).fill(first);
    for (const way of subsetsBySize(tails, most - take)) {
      ways.push({ taken: [...taken, ...way.taken], rest: [...left, ...way.rest] });
    }
  }
  return ways;
}

/** The room that tickets with one number of EXTRA stages have for winning rows. */
export interface StageRoom {
  readonly stages: number;
  /** Whether a composition has room under every vector of EXTRA symbols that may occur. */
  readonly holds: (composition: Composition) => boolean;
}

/** The room at one number of EXTRA stages: a composition is allowed only if it always has room. */
export function roomAt(options: {
  readonly game: RowsGame;
  readonly stake: Stake;
  readonly law: ExtraStageLaw;
}): StageRoom {
  const { game, stake, law } = options;
  // Which grid has how many EXTRA does not matter to the room, so many vectors are alike.
  const vectors = new Map(
    law.vectors
      .filter(({ weight }) => weight > 0)
      .map(({ extra }) => [extra.toSorted((a, b) => b - a).join(), extra]),
  );
  // Of a composition only the spare cells matter, so many compositions are alike.
  const known = new Map<string, boolean>();
  const holds = (composition: Composition): boolean => {
    const spareCells = spareCellsOf(composition, stake, game.grid.columns);
    const key = spareCells.toSorted((a, b) => b - a).join();
    const answer =
      known.get(key) ??
      [...vectors.values()].every((extra) => hasRoom(spareCells, extra, game.grid));
    known.set(key, answer);
    return answer;
  };
  return { stages: law.stages, holds };
}
