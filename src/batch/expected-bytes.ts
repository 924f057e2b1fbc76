import type { Game, Stake } from '../definitions/game.js';
import { planOutcomes } from '../definitions/mechanics.js';
import type { FeatureLaw, Outcome } from '../definitions/outcome-law.js';
import { HEADERS, RECORD_PATTERNS, type TicketFormat } from '../formats/ticket-formats.js';

/**
 * How many bytes the tickets of a block take in one format, uncompressed, if each outcome comes as often
 * as its law says: right but for some hundreds, because the quotas are rounded.
 */
export function expectedBytes(game: Game, stake: Stake, format: TicketFormat): number {
  const pattern = RECORD_PATTERNS[format];
  const { betweenRows, betweenGrids } = pattern;
  const { beforeNumber, beforePrize, beforeCombination, afterCombination, end } = pattern;
  const constants = [beforeNumber, beforePrize, beforeCombination, afterCombination, end];
  const constant = constants.reduce((sum, text) => sum + text.length, 0);
  const { rows, columns } = game.grid;
  const gridBytes = rows * columns + (rows - 1) * betweenRows.length;
  const recordBytes = ({ prizeCents, combination, gridCount }: Outcome): number =>
    constant +
    String(prizeCents).length +
    combination.length +
    gridCount * gridBytes +
    (gridCount - 1) * betweenGrids.length;
  const { law } = planOutcomes(game, stake);
  const records = law.map((tier) => tier.count * meanOf(tier.features, recordBytes));
  const recordsBytes = records.reduce((sum, bytes) => sum + bytes, 0);
  return Math.round(HEADERS[format].length + numberDigits(game.blockSize) + recordsBytes);
}

/** The mean over the outcomes of a tier, each as often as its law says. */
function meanOf(features: readonly FeatureLaw[], valueOf: (outcome: Outcome) => number): number {
  return weightedMean(
    features.map(({ weight, outcomes }) => {
      const values = outcomes.map(({ weight: own, outcome }) => [own, valueOf(outcome)] as const);
      return [weight, weightedMean(values)] as const;
    }),
  );
}

function weightedMean(values: readonly (readonly [weight: number, value: number])[]): number {
  const weights = values.reduce((sum, [weight]) => sum + weight, 0);
  const sum = values.reduce((all, [weight, value]) => all + weight * value, 0);
  return weights === 0 ? 0 : sum / weights;
}

/** Digits of all numbers from 1 to the last. */
function numberDigits(last: number): number {
  let digits = 0;
  for (let from = 1; from <= last; from *= 10) digits += last - from + 1;
  return digits;
}
