import { assert, defined } from '../../core/assert.js';
import type { Game, RowsGame, Stake } from '../../definitions/game.js';
import type {
  FeatureLaw,
  MechanicRules,
  Outcome,
  TierLaw,
  WeightedOutcome,
} from '../../definitions/outcome-law.js';
import { checkRows } from './rules-check.js';
import { compositionsIn, roomAt, weightOf, type Composition } from './rules-compositions.js';

/** The rules of the rows mechanic: 4 or 5 identical symbols in a row win, EXTRA opens a stage. */
export const rowsRules: MechanicRules = {
  featureName: 'extra_stages',
  check: (game) => checkRows(asRows(game)),
  outcomeLaw: (game, stake) => rowsLaw(asRows(game), stake),
};

function asRows(game: Game): RowsGame {
  assert(game.mechanic === 'rows', `the rows rules were given a ${game.mechanic} game`);
  return game;
}

function rowsLaw(game: RowsGame, stake: Stake): readonly TierLaw[] {
  const laws = game.policy.extraStages.filter(({ weight }) => weight > 0);
  const rooms = laws.map((law) => ({ law, room: roomAt({ game, stake, law }) }));
  const winningTickets = stake.tiers.reduce((sum, tier) => sum + tier.count, 0);
  const losing = { prizeCents: 0, count: game.blockSize - winningTickets };
  return [...stake.tiers, losing].map(({ prizeCents, count }) => {
    const compositions = defined(
      compositionsIn({ game, stake, prizeCents }),
      `the compositions of ${prizeCents} cents`,
    );
    const features = rooms.map(({ law, room }): FeatureLaw => {
      const allowed = compositions.filter(room.holds);
      const outcomes = allowed.map((composition): WeightedOutcome => ({
        weight: weightOf(game, composition),
        outcome: toOutcome({ prizeCents, composition, stake, stages: law.stages }),
      }));
      return { weight: law.weight, outcomes };
    });
    return { prizeCents, count, features };
  });
}

function toOutcome(options: {
  readonly prizeCents: number;
  readonly composition: Composition;
  readonly stake: Stake;
  readonly stages: number;
}): Outcome {
  const { prizeCents, composition, stake, stages } = options;
  return {
    prizeCents,
    combination: combinationText(composition, stake),
    feature: stages,
    composition,
    gridCount: stages + 1,
  };
}

function combinationText(composition: Composition, stake: Stake): string {
  return composition
    .map((index) => {
      const line = defined(stake.payTable[index], 'a line of the pay table');
      return `${line.count}${line.symbol ?? ''}`;
    })
    .join('+');
}
