import { findStake } from '../definitions/load-game.js';
import type { Game } from '../definitions/game.js';
import type { Explanation } from './evaluator.js';
import { makeEvaluator } from './evaluators.js';
import { shapeFaults } from './grid-shape.js';

/**
 * Says what a ticket's symbols amount to under the rules of its game, and all that is against the
 * rules about them.
 *
 * @param game - Whose rules hold (Eldorado, articles 4.4 to 4.7; Lagon Paradis, articles 4.3 to 4.5).
 * @param stakeCents - The price of the ticket.
 * @param grids - Rows of symbol codes, grid after grid, as in the NDJSON record: the main grid and
 * its EXTRA stages, or one grid for each choice.
 * @returns The prize in cents, the combination, the EXTRA stages or chosen symbols; and the faults. Where the grids have
 * another shape than the game's, they are worth nothing.
 * @throws InputError `unknown-stake`.
 * @example
 * ```ts
 * import { evaluateTicket, loadGame } from 'gen-block';
 *
 * const grids = [['PPPPS', 'VSPBD', 'BDVSP']];
 * const { evaluation, faults } = evaluateTicket(loadGame('eldorado'), 100, grids);
 * console.log(evaluation.combination, evaluation.prizeCents, faults.length); // → 4P 500000 0
 * ```
 * @group Tickets
 */
export function evaluateTicket(
  game: Game,
  stakeCents: number,
  grids: readonly (readonly string[])[],
): Explanation {
  const evaluator = makeEvaluator(game, findStake(game, stakeCents));
  const faults = shapeFaults(game.grid, grids);
  // An evaluator takes the shape for granted: of four rows, each would win.
  if (faults.length > 0)
    return { faults, evaluation: { prizeCents: 0, combination: '', feature: 0 } };
  return evaluator.explain(grids);
}
