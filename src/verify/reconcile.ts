import { formatCount, formatEuros } from '../core/money.js';
import type { Game, Stake } from '../definitions/game.js';
import { planOutcomes, rulesOf } from '../definitions/mechanics.js';
import { featureWords, type FeatureName } from '../definitions/features.js';
import type { FeatureLaw, TierLaw } from '../definitions/outcome-law.js';
import type { FindingLog, FindingPlace } from './finding.js';
import { evaluationKey, type Tally } from './tickets-judge.js';

/** What the counts of a tickets file are held against. */
export interface ReconcileInput {
  readonly game: Game;
  readonly stake: Stake;
  readonly file: string;
  readonly records: number;
  readonly tallies: readonly Tally[];
  readonly log: FindingLog;
}

/**
 * Holds the counts of a whole file against the definition: the number of tickets, every tier's count
 * and the prize total exactly (article 3), and the laws of the outcomes, of which each count must be
 * the floor or the ceiling.
 */
export function reconcile(input: ReconcileInput): void {
  const { game, stake, file, records, tallies, log } = input;
  const place = { file };
  if (records !== game.blockSize) {
    const expected = `${formatCount(game.blockSize)} tickets`;
    log.add({ code: 'ticket-count', place, expected, found: formatCount(records) });
  }
  reconcileTiers(input, place);
  const prizes = total(tallies.map(({ prizeCents, count }) => prizeCents * count));
  const declared = total(stake.tiers.map(({ prizeCents, count }) => prizeCents * count));
  if (prizes !== declared) {
    const expected = `prizes of ${formatEuros(declared)} euros in all`;
    log.add({ code: 'prize-total', place, expected, found: formatEuros(prizes) });
  }
  const counts = new Map(tallies.map((tally) => [evaluationKey(tally), tally.count]));
  const featureName = rulesOf(game).featureName;
  for (const tier of planOutcomes(game, stake).law) {
    reconcileTierLaw({ tier, counts, featureName, place, log });
  }
}

function reconcileTiers({ stake, tallies, log }: ReconcileInput, place: FindingPlace): void {
  for (const tier of stake.tiers) {
    const found = total(
      tallies.filter(({ prizeCents }) => prizeCents === tier.prizeCents).map(({ count }) => count),
    );
    if (found !== tier.count) {
      const expected = `${formatCount(tier.count)} tickets of ${formatEuros(tier.prizeCents)} euros`;
      log.add({ code: 'tier-count', place, expected, found: formatCount(found) });
    }
  }
}

interface LawInput {
  readonly tier: TierLaw;
  readonly counts: ReadonlyMap<string, number>;
  readonly featureName: FeatureName;
  readonly place: FindingPlace;
  readonly log: FindingLog;
}

/** Each feature's share of the tier, then each outcome's share of its feature. */
function reconcileTierLaw(input: LawInput): void {
  const { tier, featureName } = input;
  const words = ({ outcomes }: FeatureLaw): string => {
    const having = featureWords(featureName, outcomes[0]?.outcome.feature ?? 0);
    return `tickets of ${formatEuros(tier.prizeCents)} euros with ${having}`;
  };
  const shares = tier.features.map((feature) => ({
    weight: feature.weight,
    found: outcomeCounts(feature, input.counts),
    name: words(feature),
  }));
  reconcileShares('feature-quota', tier.count, shares, input);
  for (const feature of tier.features) {
    const tierAndFeature = outcomeCounts(feature, input.counts);
    const parts = feature.outcomes.map(({ weight, outcome }) => ({
      weight,
      found: input.counts.get(evaluationKey(outcome)) ?? 0,
      name: `${words(feature)} by "${outcome.combination}"`,
    }));
    reconcileShares('composition-quota', tierAndFeature, parts, input);
  }
}

function outcomeCounts(feature: FeatureLaw, counts: ReadonlyMap<string, number>): number {
  return total(feature.outcomes.map(({ outcome }) => counts.get(evaluationKey(outcome)) ?? 0));
}

function reconcileShares(
  code: 'feature-quota' | 'composition-quota',
  whole: number,
  shares: readonly {
    readonly weight: number;
    readonly found: number;
    readonly name: string;
  }[],
  { place, log }: LawInput,
): void {
  const totalWeight = total(shares.map(({ weight }) => weight));
  for (const { weight, found, name } of shares) {
    const least = Math.floor((whole * weight) / totalWeight);
    const most = Math.ceil((whole * weight) / totalWeight);
    if (found >= least && found <= most) continue;
    const expected = `${formatCount(least)}${most > least ? ` or ${formatCount(most)}` : ''} ${name}`;
    log.add({ code, place, expected, found: formatCount(found) });
  }
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
