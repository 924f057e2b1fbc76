import type { Outcome } from '../../definitions/outcome-law.js';
import type { EventsEvidence, Measurement } from './evidence.js';
import type { Observations } from './observations.js';

/**
 * What a shuffle leaves behind where it does not move every ticket: winning tickets that stand where
 * the list of all outcomes would have them, by prize from the highest down or from the lowest up.
 */
export function measureSorted({
  outcomes,
  outcomeOf,
}: Pick<Observations, 'outcomes' | 'outcomeOf'>): readonly Measurement[] {
  const counts = new Float64Array(outcomes.length);
  for (const outcome of outcomeOf) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const isWinning = outcomes.map(({ prizeCents }) => prizeCents > 0);
  const order = [...sortedIndexes(outcomes)];
  return [
    { name: 'from the highest prize down', order },
    { name: 'from the lowest prize up', order: order.toReversed() },
  ].map((list): Measurement => {
    const count = countMatches(outcomeOf, { order: list.order, counts, isWinning });
    const winning = [...counts].filter((_, outcome) => isWinning[outcome]);
    return {
      name: `winning tickets in their place of the list ${list.name}`,
      group: 'order',
      evidence: { ...matchCumulants(winning, outcomeOf.length), count },
    };
  });
}

function sortedIndexes(outcomes: readonly Outcome[]): readonly number[] {
  return [...outcomes.keys()].sort(
    (a, b) => (outcomes[b]?.prizeCents ?? 0) - (outcomes[a]?.prizeCents ?? 0) || a - b,
  );
}

function countMatches(
  outcomeOf: Uint16Array,
  list: {
    readonly order: readonly number[];
    readonly counts: Float64Array;
    readonly isWinning: readonly boolean[];
  },
): number {
  let matches = 0;
  let start = 0;
  for (const outcome of list.order) {
    const end = start + (list.counts[outcome] ?? 0);
    for (let place = start; place < end && list.isWinning[outcome] === true; place += 1) {
      if (outcomeOf[place] === outcome) matches += 1;
    }
    start = end;
  }
  return matches;
}

/**
 * Cards that meet their own kind: `n` of a kind fall on the `n` places of the kind, without
 * replacement. Mean and variance are exact, the third cumulant as if the kinds were independent.
 */
function matchCumulants(counts: readonly number[], total: number): Omit<EventsEvidence, 'count'> {
  let mean = 0;
  let own = 0;
  let squares = 0;
  let fourths = 0;
  let third = 0;
  for (const count of counts) {
    const share = count / total;
    mean += count * share;
    own += (count * (total - count)) ** 2;
    squares += count ** 2;
    fourths += count ** 4;
    third += count * share * ((1 - share) * (1 - 2 * share)) ** 2;
  }
  const variance = (own + squares ** 2 - fourths) / (total ** 2 * (total - 1));
  return { kind: 'events', mean, variance, third };
}
