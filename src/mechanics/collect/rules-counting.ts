import { binomial } from '../../core/binomial.js';
import { symbolCodes, type CollectGame } from '../../definitions/game.js';

export { binomial } from '../../core/binomial.js';

/** A symbol of one choice's grid whose number in the grid has a limit. */
interface CappedSymbol {
  readonly code: string;
  readonly cap: number;
}

/** What may stand beside the chosen symbol: capped symbols in the definition's order, free ones. */
export interface Fillers {
  readonly capped: readonly CappedSymbol[];
  /** Codes of the symbols without a cap. */
  readonly free: readonly string[];
}

/** The symbols that may stand in the grid of one choice beside the chosen symbol. */
export function fillersOf(game: CollectGame, chosenCode: string): Fillers {
  const capped: CappedSymbol[] = [];
  const free: string[] = [];
  const { unchosenCap, neutralCap } = game.policy;
  for (const { code, role } of game.symbols) {
    if (code === chosenCode) continue;
    const cap = role === 'play' ? unchosenCap : neutralCap;
    if (cap === null) free.push(code);
    else capped.push({ code, cap });
  }
  return { capped, free };
}

/**
 * The number of ways to fill `cells` cells, for the capped symbols from each index on and the free
 * ones: `ways[index][cells]`, exact. The last row is the free symbols alone.
 */
export function fillingWays(fillers: Fillers, cells: number): readonly (readonly bigint[])[] {
  const freeAlone: bigint[] = [];
  for (let count = 0; count <= cells; count += 1) {
    freeAlone.push(BigInt(fillers.free.length) ** BigInt(count));
  }
  const ways: bigint[][] = [freeAlone];
  for (const { cap } of fillers.capped.toReversed()) {
    const rest = ways[0] ?? [];
    ways.unshift(rest.map((_, count) => waysWithCap(rest, count, cap)));
  }
  return ways;
}

function waysWithCap(rest: readonly bigint[], cells: number, cap: number): bigint {
  let total = 0n;
  for (let taken = 0; taken <= Math.min(cap, cells); taken += 1) {
    total += binomial(cells, taken) * (rest[cells - taken] ?? 0n);
  }
  return total;
}

/** The number of grids of one choice with exactly `chosen` of the chosen symbol and all caps kept. */
export function gridsWith(game: CollectGame, chosenCode: string, chosen: number): bigint {
  const cells = game.grid.rows * game.grid.columns;
  if (chosen > cells) return 0n;
  const ways = fillingWays(fillersOf(game, chosenCode), cells);
  return binomial(cells, chosen) * (ways[0]?.[cells - chosen] ?? 0n);
}

/** All symbols that the player can choose, in the order of the choices. */
export function playCodes(game: CollectGame): readonly string[] {
  return symbolCodes(game, 'play');
}
