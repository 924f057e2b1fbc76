import type { FeatureName } from './features.js';
import type { Game, Stake } from './game.js';
import type { Problem } from './problem.js';

/** What the shuffle moves: all that is decided about a ticket before its symbols are drawn. */
export interface Outcome {
  readonly prizeCents: number;
  /** The ticket's `combination` field: `4V+4B`, `10`, or empty where it loses. */
  readonly combination: string;
  /** A number of what `features.ts` says of the mechanic: EXTRA stages (rows), chosen symbols (collect). */
  readonly feature: number;
  /** The winning combinations as indexes into the stake's pay table, ascending. */
  readonly composition: readonly number[];
  /** Grids of the ticket: the main grid and its EXTRA stages, or one for each choice. */
  readonly gridCount: number;
}

/** An outcome and its integer weight among those of its branch. */
export interface WeightedOutcome {
  readonly weight: number;
  readonly outcome: Outcome;
}

/** The outcomes of one tier with one value of the feature, and the integer weight of that value. */
export interface FeatureLaw {
  readonly weight: number;
  readonly outcomes: readonly WeightedOutcome[];
}

/** A tier (or, with prize 0, the losing tickets): how many tickets, and the law that splits them. */
export interface TierLaw {
  readonly prizeCents: number;
  /** Tickets in the block, exactly. */
  readonly count: number;
  readonly features: readonly FeatureLaw[];
}

/** The rules part of a mechanic: what a definition must satisfy, and the law of its outcomes. */
export interface MechanicRules {
  readonly featureName: FeatureName;
  /**
   * Holds a schema-valid game against what its mechanic needs; an empty list is a good game.
   * Never throws and never allocates more than the schema's limits allow.
   */
  check(game: Game): readonly Problem[];
  /** The law of a checked game's outcomes at one stake: tiers by prize, highest first, losing last. */
  outcomeLaw(game: Game, stake: Stake): readonly TierLaw[];
}

/** The law's outcomes in its order, which is the order of the manifest and of outcome indexes. */
export function lawOutcomes(law: readonly TierLaw[]): readonly Outcome[] {
  return law.flatMap((tier) =>
    tier.features.flatMap((feature) => feature.outcomes.map(({ outcome }) => outcome)),
  );
}

/** Whether an outcome's feature tells by itself if the ticket wins, as the number of chosen symbols does. */
export function featureTellsWin(outcomes: readonly Outcome[]): boolean {
  const losing = outcomes.filter(({ prizeCents }) => prizeCents === 0);
  const features = new Set(losing.map(({ feature }) => feature));
  return outcomes.every(({ prizeCents, feature }) => prizeCents === 0 || !features.has(feature));
}
