import { assert, defined } from '../../core/assert.js';
import { symbolCodes, type CollectGame, type Game, type Stake } from '../../definitions/game.js';
import type { FeatureLaw, MechanicRules, TierLaw } from '../../definitions/outcome-law.js';
import { checkCollect } from './rules-check.js';

/** The rules of the collect mechanic: 4 to 10 of the chosen symbol win, one prize at most. */
export const collectRules: MechanicRules = {
  featureName: 'chosen',
  check: (game) => checkCollect(asCollect(game)),
  outcomeLaw: (game, stake) => collectLaw(asCollect(game), stake),
};

function asCollect(game: Game): CollectGame {
  assert(game.mechanic === 'collect', `the collect rules were given a ${game.mechanic} game`);
  return game;
}

function collectLaw(game: CollectGame, stake: Stake): readonly TierLaw[] {
  const gridCount = symbolCodes(game, 'play').length;
  const winning = stake.tiers.map((tier): TierLaw => {
    const index = stake.payTable.findIndex((line) => line.prizeCents === tier.prizeCents);
    const line = defined(stake.payTable[index], `the pay line of ${tier.prizeCents} cents`);
    const outcome = {
      prizeCents: tier.prizeCents,
      combination: String(line.count),
      feature: line.count,
      composition: [index],
      gridCount,
    };
    return { ...tier, features: [{ weight: 1, outcomes: [{ weight: 1, outcome }] }] };
  });
  const winningTickets = stake.tiers.reduce((sum, tier) => sum + tier.count, 0);
  const losingCounts = game.policy.losingCounts.filter(({ weight }) => weight > 0);
  const features = losingCounts.map(({ chosen, weight }): FeatureLaw => {
    const outcome = { prizeCents: 0, combination: '', feature: chosen, composition: [], gridCount };
    return { weight, outcomes: [{ weight: 1, outcome }] };
  });
  return [...winning, { prizeCents: 0, count: game.blockSize - winningTickets, features }];
}
