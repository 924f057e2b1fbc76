import { findStake } from '../definitions/load-game.js';
import type { Game } from '../definitions/game.js';
import type { Explanation } from './evaluator.js';
import { makeEvaluator } from './evaluators.js';

/**
 * Says what a ticket's symbols amount to under the rules of its game, and all that is against the
 * rules about them.
 *
 * @param grids - Rows of symbol codes, grid after grid, as in the NDJSON record: the main grid and
 * its EXTRA stages, or one grid for each choice.
 * @returns The prize in cents, the combination, the EXTRA stages or chosen symbols; and the faults.
 * @throws InputError `unknown-stake`.
 */
export function evaluateTicket(
  game: Game,
  stakeCents: number,
  grids: readonly (readonly string[])[],
): Explanation {
  return makeEvaluator(game, findStake(game, stakeCents)).explain(grids);
}
