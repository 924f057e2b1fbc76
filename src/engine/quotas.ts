import { defined } from '../core/assert.js';
import type { TierLaw } from '../definitions/outcome-law.js';
import { apportion } from './apportion.js';
import type { RandomStream } from './random-stream.js';

/**
 * Fixes how many tickets of a block have each outcome. Within each tier (losing tickets last) its
 * exact count is split by the law of the feature, then each part by the law of the outcomes.
 *
 * @returns One count for each outcome, in the order of `lawOutcomes`.
 */
export function drawQuotas(law: readonly TierLaw[], stream: RandomStream): readonly number[] {
  return law.flatMap((tier) => {
    const featureWeights = tier.features.map((feature) => feature.weight);
    const featureCounts = apportion(tier.count, featureWeights, stream);
    return tier.features.flatMap((feature, index) => {
      const outcomeWeights = feature.outcomes.map((outcome) => outcome.weight);
      return apportion(defined(featureCounts[index], 'a count'), outcomeWeights, stream);
    });
  });
}

/** The outcome index of every ticket before the shuffle: outcome after outcome, each its count. */
export function expandOutcomes(quotas: readonly number[]): Uint16Array {
  const tickets = quotas.reduce((sum, count) => sum + count, 0);
  const outcomes = new Uint16Array(tickets);
  let start = 0;
  quotas.forEach((count, outcome) => {
    outcomes.fill(outcome, start, start + count);
    start += count;
  });
  return outcomes;
}
