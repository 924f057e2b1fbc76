import type { Game, MechanicId, Stake } from '../definitions/game.js';
import { collectEvaluator } from '../mechanics/collect/evaluator.js';
import { rowsEvaluator } from '../mechanics/rows/evaluator.js';
import type { Evaluator } from './evaluator.js';

const EVALUATORS: Readonly<Record<MechanicId, (game: Game, stake: Stake) => Evaluator>> = {
  rows: rowsEvaluator,
  collect: collectEvaluator,
};

/** Makes the evaluator of a game's mechanic for one stake. */
export function makeEvaluator(game: Game, stake: Stake): Evaluator {
  return EVALUATORS[game.mechanic](game, stake);
}
