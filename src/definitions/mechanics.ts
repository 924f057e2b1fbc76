import { collectRules } from '../mechanics/collect/rules.js';
import { rowsRules } from '../mechanics/rows/rules.js';
import type { Game, MechanicId, Stake } from './game.js';
import { lawOutcomes, type MechanicRules, type Outcome, type TierLaw } from './outcome-law.js';

const RULES: Readonly<Record<MechanicId, MechanicRules>> = {
  rows: rowsRules,
  collect: collectRules,
};

/** The rules of a game's mechanic. */
export function rulesOf(game: Game): MechanicRules {
  return RULES[game.mechanic];
}

/** The law of a game's outcomes at one stake, and its outcomes in the law's order. */
export interface OutcomePlan {
  readonly law: readonly TierLaw[];
  readonly outcomes: readonly Outcome[];
}

const PLANS = new WeakMap<Game, Map<Stake, OutcomePlan>>();

/** Lays out all outcomes of a game at one stake; once for each stake of a loaded game. */
export function planOutcomes(game: Game, stake: Stake): OutcomePlan {
  const plans = PLANS.get(game) ?? new Map<Stake, OutcomePlan>();
  const plan = plans.get(stake) ?? layOut(game, stake);
  PLANS.set(game, plans.set(stake, plan));
  return plan;
}

function layOut(game: Game, stake: Stake): OutcomePlan {
  const law = rulesOf(game).outcomeLaw(game, stake);
  return { law, outcomes: lawOutcomes(law) };
}
