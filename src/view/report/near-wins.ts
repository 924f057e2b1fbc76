import { sumOf } from '../../core/sum-of.js';
import type { CollectGame, Game, Stake } from '../../definitions/game.js';
import type { ObservedBlock } from '../../verify/audit/audit-blocks.js';
import type { Measurement } from '../../verify/audit/evidence.js';

/** Near wins of one kind: found, and what the law of the definition makes of them on the average. */
export interface NearWins {
  readonly name: string;
  readonly found: number;
  readonly expected: number;
  readonly deviation: number;
}

/**
 * What looks like a missed win: with rows, a row that lacks one symbol; with a choice, exactly one fewer of
 * a symbol that was not chosen than of the chosen one wins, whatever the caps are.
 */
export function nearWinsOf(
  block: Pick<ObservedBlock, 'game' | 'stake' | 'measurements'>,
): readonly NearWins[] {
  const { game, stake, measurements } = block;
  const all =
    game.mechanic === 'collect'
      ? unchosenNearWins(game, smallestWin(stake) - 1, measurements)
      : measurements.flatMap(rowNearWins);
  return all.filter(({ expected }) => expected > 0);
}

function smallestWin({ payTable }: Stake): number {
  return Math.min(...payTable.map(({ count }) => count));
}

function rowNearWins({ name, subject, evidence }: Measurement): readonly NearWins[] {
  if (subject?.kind !== 'near wins' || evidence.kind !== 'events') return [];
  const { count, mean, variance } = evidence;
  return [{ name, found: count, expected: mean, deviation: Math.sqrt(variance) }];
}

/** By symbol and choice. None of a symbol looks like nothing at all, so a count of 0 is no near win. */
function unchosenNearWins(
  game: CollectGame,
  count: number,
  measurements: readonly Measurement[],
): readonly NearWins[] {
  if (count < 1) return [];
  const evidenceOf = new Map(measurements.map(({ name, evidence }) => [name, evidence]));
  const codes = game.symbols.flatMap(({ code, role }) => (role === 'play' ? [code] : []));
  const pairs = codes.flatMap((choice) =>
    codes.filter((code) => code !== choice).map((code) => ({ choice, code })),
  );
  return pairs.map(({ choice, code }) => {
    const strata = ['losing', 'winning'].flatMap((kind) => {
      // As measure-collect.ts names what it counts; a test finds the counts by hand.
      const evidence = evidenceOf.get(`number of ${code} beside choice ${choice}, ${kind} tickets`);
      return evidence?.kind === 'counts' ? [...evidence.strata.values()] : [];
    });
    const expected = strata.map((stratum) => stratum.expected[count] ?? 0);
    const spreads = strata.map((stratum, index) => {
      const mean = expected[index] ?? 0;
      const tickets = sumOf(Array.from(stratum.observed));
      return tickets === 0 ? 0 : mean * (1 - mean / tickets);
    });
    return {
      name: `${count} of ${code} in the grid of choice ${choice}`,
      found: sumOf(strata.map((stratum) => stratum.observed[count] ?? 0)),
      expected: sumOf(expected),
      deviation: Math.sqrt(sumOf(spreads)),
    };
  });
}

/** What the table of near wins shows, and what decides how many there are. */
export function nearWinsCaption(game: Game, stake: Stake): string {
  if (game.mechanic !== 'collect') {
    return 'Near wins, neither raised nor removed: found against their exact expectation';
  }
  const least = smallestWin(stake);
  const { unchosenCap } = game.policy;
  const policy =
    'How many of the chosen symbol a losing ticket shows is no chance: the policy says it (losing_counts).';
  if (least < 2) return `No near wins: 1 of the chosen symbol wins. ${policy}`;
  const what = `exactly ${least - 1} of a symbol that was not chosen, where ${least} of the chosen one win`;
  if (unchosenCap !== null && unchosenCap < least - 1) {
    return `No near wins, ${what}: the policy's cap allows at most ${unchosenCap} (unchosen_cap). ${policy}`;
  }
  const law =
    unchosenCap === null ? 'all grids alike' : 'all grids alike that keep the caps of the policy';
  return `Near wins: ${what}; found against their exact expectation over ${law}, neither raised nor removed beyond that. ${policy}`;
}
