import { describe, expect, test } from '@jest/globals';
import { ENGINE_IDS } from '../core/algorithm.js';
import { gameIds, loadGame } from '../definitions/load-game.js';
import { planOutcomes } from '../definitions/mechanics.js';
import type { TierLaw } from '../definitions/outcome-law.js';
import { binomialP } from '../testing/goodness-of-fit.js';
import { seededStream } from '../testing/random-streams.js';
import { drawQuotas, expandOutcomes } from './quotas.js';

const STAKES = gameIds().flatMap((id) => {
  const game = loadGame(id);
  return game.stakes.map((stake) => ({ id, game, stake, stakeCents: stake.stakeCents }));
});

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, item) => sum + item, 0);
}

/** The quotas sorted by tier and feature as the law is. */
function nest(law: readonly TierLaw[], quotas: readonly number[]): readonly number[][][] {
  const rest = [...quotas];
  const nested = law.map((tier) =>
    tier.features.map((feature) => rest.splice(0, feature.outcomes.length)),
  );
  if (rest.length > 0) throw new Error('more quotas than outcomes');
  return nested;
}

/**
 * The parts that are neither the floor nor the ceiling of count times weight over the sum of weights,
 * or all of them where they do not add up. (One `expect` for each part would take long.)
 */
function wrongParts(
  parts: readonly number[],
  { count, weights }: { readonly count: number; readonly weights: readonly number[] },
): readonly number[] {
  const total = sumOf(weights);
  if (sumOf(parts) !== count) return parts;
  return parts.filter((part, index) => {
    const floor = Math.floor((count * weights[index]!) / total);
    const ceiling = Math.ceil((count * weights[index]!) / total);
    return part !== floor && part !== ceiling;
  });
}

describe.each(STAKES)('the quotas of $id at $stakeCents cents', ({ game, stake }) => {
  const { law, outcomes } = planOutcomes(game, stake);

  test.each(ENGINE_IDS)('are exact at each level with the engine %s', (engine) => {
    for (let run = 0; run < 10; run += 1) {
      const quotas = drawQuotas(law, seededStream(`levels ${run}`, engine));
      expect(quotas).toHaveLength(outcomes.length);
      nest(law, quotas).forEach((byFeature, index) => {
        const { count, features } = law[index]!;
        const featureCounts = byFeature.map(sumOf);
        const featureWeights = features.map(({ weight }) => weight);
        expect(wrongParts(featureCounts, { count, weights: featureWeights })).toEqual([]);
        const wrong = byFeature.flatMap((parts, feature) => {
          const weights = features[feature]!.outcomes.map(({ weight }) => weight);
          return wrongParts(parts, { count: featureCounts[feature]!, weights });
        });
        expect(wrong).toEqual([]);
      });
    }
  });

  test('give each prize exactly the tickets of the prize table', () => {
    const quotas = drawQuotas(law, seededStream('prize table'));
    const counts = new Map<number, number>();
    outcomes.forEach(({ prizeCents }, index) => {
      counts.set(prizeCents, (counts.get(prizeCents) ?? 0) + quotas[index]!);
    });
    const winning = sumOf(stake.tiers.map(({ count }) => count));
    expect(Object.fromEntries(counts)).toEqual({
      ...Object.fromEntries(stake.tiers.map(({ prizeCents, count }) => [prizeCents, count])),
      0: game.blockSize - winning,
    });
  });
});

describe('the quotas of many seeds', () => {
  const SEEDS = 4000;
  const game = loadGame('eldorado');
  const { law } = planOutcomes(game, game.stakes[1]!);
  /** By tier and feature: the seeds whose count is above the floor of its expectation. */
  const roundedUp = law.map((tier) => tier.features.map(() => 0));
  /** By number of EXTRA stages: how often the single ticket of the top prize had it. */
  const topStages = [0, 0, 0, 0];
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const stream = seededStream(`seed ${seed}`, 'chacha20');
    nest(law, drawQuotas(law, stream)).forEach((byFeature, tier) => {
      byFeature.forEach((parts, feature) => {
        const count = sumOf(parts);
        if (tier === 0) topStages[feature]! += count;
        if (count > Math.floor(expectationOf(tier, feature))) roundedUp[tier]![feature]! += 1;
      });
    });
  }

  /** Tickets of a tier that have a feature, on average over all seeds. */
  function expectationOf(tier: number, feature: number): number {
    const { count, features } = law[tier]!;
    return (count * features[feature]!.weight) / sumOf(features.map(({ weight }) => weight));
  }

  test.each([
    [0, 0.85],
    [1, 0.12],
    [2, 0.025],
    [3, 0.005],
  ])('give the single top prize %i EXTRA stages as often as all tickets', (stages, share) => {
    expect(law[0]!.count).toBe(1);
    expect(sumOf(topStages)).toBe(SEEDS);
    expect(binomialP(topStages[stages]!, SEEDS, share)).toBeGreaterThan(0.001);
  });

  test('are rounded up as often as the broken part of each expectation says', () => {
    const cases = law.flatMap((tier, tierIndex) =>
      tier.features.map((_, feature) => ({
        up: roundedUp[tierIndex]![feature]!,
        brokenPart: expectationOf(tierIndex, feature) % 1,
      })),
    );
    expect(cases).toHaveLength(11 * 4);
    for (const { up, brokenPart } of cases) {
      if (brokenPart === 0) expect(up).toBe(0);
      else expect(binomialP(up, SEEDS, brokenPart)).toBeGreaterThan(0.001 / cases.length);
    }
  });
});

describe('expanded quotas', () => {
  test('hold each outcome as often as its quota says, in order', () => {
    expect([...expandOutcomes([2, 0, 3, 1])]).toEqual([0, 0, 2, 2, 2, 3]);
  });

  test('of nothing are nothing', () => {
    expect([...expandOutcomes([0, 0])]).toEqual([]);
  });

  test('hold outcome indexes of 16 bits', () => {
    const quotas = new Array<number>(65_536).fill(0);
    quotas[65_535] = 2;
    expect([...expandOutcomes(quotas)]).toEqual([65_535, 65_535]);
  });
});
