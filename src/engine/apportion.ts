import { assert } from '../core/assert.js';
import type { RandomStream } from './random-stream.js';
import { shuffle } from './shuffle.js';

/**
 * Splits a count into whole numbers in proportion to integer weights, by systematic rounding: the
 * items are laid end to end in random order, each as long as its expectation, and one uniform offset
 * places marks one apart; an item gets the marks that fall on it. Every part is the floor or the
 * ceiling of its expectation, and its mean is the expectation exactly.
 *
 * @param weights - Their sum times `count` must be below 2^53.
 * @returns One part for each weight; they add up to `count`.
 */
export function apportion(
  count: number,
  weights: readonly number[],
  stream: RandomStream,
): readonly number[] {
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  assert(
    Number.isSafeInteger(totalWeight * (count + 1)) && totalWeight > 0,
    `cannot split ${count} by a total weight of ${totalWeight}`,
  );
  const order = weights.map((_, item) => item);
  shuffle(order, stream);
  const parts = weights.map(() => 0);
  let position = stream.uniform(totalWeight);
  for (const item of order) {
    const start = Math.floor(position / totalWeight);
    position += count * (weights[item] ?? 0);
    parts[item] = Math.floor(position / totalWeight) - start;
  }
  return parts;
}
