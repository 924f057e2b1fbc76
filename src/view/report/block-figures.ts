import { sumOf } from '../../core/sum-of.js';
import type { Stake } from '../../definitions/game.js';
import { planOutcomes, rulesOf } from '../../definitions/mechanics.js';
import type { FeatureName } from '../../definitions/features.js';
import { featureTellsWin, type Outcome, type TierLaw } from '../../definitions/outcome-law.js';
import type { ObservedBlock } from '../../verify/audit/audit-blocks.js';
import type { Measurement, TestGroup } from '../../verify/audit/evidence.js';
import { nearWinsOf, type NearWins } from './near-wins.js';

/** What was counted in a block, in the form in which it is drawn. */
export interface BlockFigures {
  readonly featureName: FeatureName;
  readonly quotas: readonly TierQuotas[];
  /** Winning tickets in equal parts of the block, from its start to its end. */
  readonly slices: readonly Count[];
  /** Where the tickets of the rarest prizes are. */
  readonly rarePrizes: readonly RarePrize[];
  /** Gaps of so many losing tickets between winning ones, from 0; the last is that or longer. */
  readonly gaps: readonly Count[];
  /** Runs of exactly so many winning tickets in a row, from 1; the last is that or longer. */
  readonly runs: readonly Count[];
  readonly winRates: readonly WinRates[];
  readonly heatMaps: readonly HeatMap[];
  readonly nearWins: readonly NearWins[];
}

/** A count, and what it is on the average over all orders of the same tickets. */
interface Count {
  readonly found: number;
  readonly expected: number;
  readonly deviation: number;
}

/** How many tickets of a prize have each number of EXTRA stages or chosen symbols. */
interface TierQuotas {
  /** 0 for losing tickets. */
  readonly prizeCents: number;
  readonly features: readonly {
    readonly feature: number;
    readonly found: number;
    readonly expected: number;
  }[];
}

interface RarePrize {
  readonly prizeCents: number;
  /** Ticket numbers, ascending. */
  readonly tickets: readonly number[];
}

/** The part of winning tickets among those that a player could tell apart. */
interface WinRates {
  readonly by: string;
  readonly groups: readonly {
    readonly name: string;
    readonly tickets: number;
    readonly winning: number;
    /** Standard deviation of the part, where winning tickets lie by chance. */
    readonly deviation: number;
  }[];
}

/** Where each symbol stands in some grids, against the exact law of the definition. */
export interface HeatMap {
  readonly grids: string;
  /** What the tests of its cells are about. */
  readonly group: TestGroup;
  readonly rows: number;
  readonly columns: number;
  readonly symbols: readonly {
    readonly code: string;
    readonly name: string;
    /** By cell. */
    readonly cells: readonly Count[];
  }[];
}

/** Parts that the block is cut into. */
const SLICES = 90;

/** Prizes of up to so many tickets are drawn one by one. */
const RARE = 250;

/** Figures for pictures of a block that conforms. */
export function blockFigures(block: ObservedBlock): BlockFigures {
  const { game, stake, observations } = block;
  const { law, outcomes } = planOutcomes(game, stake);
  const { outcomeOf } = observations;
  const isWinning = Uint8Array.from(outcomeOf, (outcome) =>
    (outcomes[outcome]?.prizeCents ?? 0) > 0 ? 1 : 0,
  );
  return {
    featureName: rulesOf(game).featureName,
    quotas: quotasOf(law, outcomes, outcomeOf),
    slices: slicesOf(isWinning),
    rarePrizes: rarePrizesOf(stake, outcomes, outcomeOf),
    ...gapsAndRuns(isWinning),
    winRates: winRatesOf(block, isWinning),
    heatMaps: heatMapsOf(block),
    nearWins: nearWinsOf(block),
  };
}

function quotasOf(
  law: readonly TierLaw[],
  outcomes: readonly Outcome[],
  outcomeOf: Uint16Array,
): readonly TierQuotas[] {
  const counts = new Float64Array(outcomes.length);
  for (const outcome of outcomeOf) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const foundOf = (prizeCents: number, feature: number): number =>
    outcomes.reduce((sum, outcome, index) => {
      const isOne = outcome.prizeCents === prizeCents && outcome.feature === feature;
      return sum + (isOne ? (counts[index] ?? 0) : 0);
    }, 0);
  return law.map(({ prizeCents, count, features }) => {
    const all = sumOf(features.map(({ weight }) => weight));
    return {
      prizeCents,
      features: features.flatMap(({ weight, outcomes: own }) => {
        const feature = own[0]?.outcome.feature;
        if (feature === undefined) return [];
        const expected = (count * weight) / all;
        return [{ feature, found: foundOf(prizeCents, feature), expected }];
      }),
    };
  });
}

/** Winning tickets in parts of the block: drawn without replacement. */
function slicesOf(isWinning: Uint8Array): readonly Count[] {
  const total = isWinning.length;
  const winners = sumOf(isWinning);
  const slices = Math.min(SLICES, total);
  return Array.from({ length: slices }, (_, slice) => {
    const start = Math.floor((slice * total) / slices);
    const end = Math.floor(((slice + 1) * total) / slices);
    const part = (end - start) / total;
    const expected = winners * part;
    const spread = expected * (1 - part) * ((total - winners) / Math.max(1, total - 1));
    const found = sumOf(isWinning.subarray(start, end));
    return { found, expected, deviation: Math.sqrt(spread) };
  });
}

function rarePrizesOf(
  { tiers }: Stake,
  outcomes: readonly Outcome[],
  outcomeOf: Uint16Array,
): readonly RarePrize[] {
  const rare = tiers.filter(({ count }) => count <= RARE);
  const tickets = new Map(rare.map(({ prizeCents }) => [prizeCents, [] as number[]]));
  outcomeOf.forEach((outcome, position) => {
    tickets.get(outcomes[outcome]?.prizeCents ?? 0)?.push(position + 1);
  });
  return rare.map(({ prizeCents }) => ({ prizeCents, tickets: tickets.get(prizeCents) ?? [] }));
}

/** Gaps this long and longer, and runs this long and longer, are one group. */
const MOST_GAP = 30;
const MOST_RUN = 6;

function gapsAndRuns(isWinning: Uint8Array): Pick<BlockFigures, 'gaps' | 'runs'> {
  const gaps = new Float64Array(MOST_GAP + 1);
  const runs = new Float64Array(MOST_RUN + 1);
  let gap = 0;
  let run = 0;
  const endRun = (): void => {
    if (run > 0) add(runs, Math.min(run, MOST_RUN));
    run = 0;
  };
  for (const wins of isWinning) {
    if (wins === 1) {
      add(gaps, Math.min(gap, MOST_GAP));
      gap = 0;
      run += 1;
    } else {
      gap += 1;
      endRun();
    }
  }
  endRun();
  // What is behind the last winning ticket is a gap too.
  add(gaps, Math.min(gap, MOST_GAP));
  const winners = sumOf(isWinning);
  const losers = isWinning.length - winners;
  return {
    gaps: runCounts(gaps, { own: losers, others: winners, spaces: winners + 1 }),
    // Every space between losing tickets has a run, most of them of none.
    runs: runCounts(runs, { own: winners, others: losers, spaces: losers + 1 }).slice(1),
  };
}

/**
 * So many spaces between the others hold all of one's own: the chance that a space holds k or more is
 * the product of (own - i) / (own + others - i) for i below k.
 */
function runCounts(
  found: Float64Array,
  pool: { readonly own: number; readonly others: number; readonly spaces: number },
): readonly Count[] {
  const { own, others, spaces } = pool;
  const last = found.length - 1;
  let reached = 1;
  return Array.from(found, (count, length) => {
    const longer = (reached * Math.max(0, own - length)) / Math.max(1, own + others - length);
    const chance = length === last ? reached : reached - longer;
    reached = longer;
    // Spaces are nearly independent: good enough for a picture, the tests have the exact law.
    const deviation = Math.sqrt(spaces * chance * (1 - chance));
    return { found: count, expected: spaces * chance, deviation };
  });
}

function add(counts: Float64Array, index: number): void {
  counts[index] = (counts[index] ?? 0) + 1;
}

/** Last digits of ticket numbers. */
const DIGITS = 10;

function winRatesOf(block: ObservedBlock, isWinning: Uint8Array): readonly WinRates[] {
  const { game, stake, observations } = block;
  const { outcomes } = planOutcomes(game, stake);
  const winners = sumOf(isWinning);
  const part = winners / isWinning.length;
  const withDeviations = (groups: ReturnType<typeof rates>): WinRates['groups'] =>
    groups.map((group) => {
      const others = 1 - group.tickets / isWinning.length;
      const deviation = Math.sqrt((part * (1 - part) * others) / group.tickets);
      return { ...group, deviation };
    });
  const byDigit = rates(isWinning, (position) => (position + 1) % DIGITS);
  const digits = { by: 'last digit of the ticket number', groups: withDeviations(byDigit) };
  // In the collect mechanic the number of chosen symbols is the prize itself.
  if (featureTellsWin(outcomes)) return [digits];
  const byStages = rates(isWinning, (position) => {
    return outcomes[observations.outcomeOf[position] ?? 0]?.feature ?? 0;
  });
  const stages = { by: 'EXTRA stages', groups: withDeviations(byStages) };
  return byStages.length > 1 ? [digits, stages] : [digits];
}

function rates(
  isWinning: Uint8Array,
  groupOf: (position: number) => number,
): readonly { readonly name: string; readonly tickets: number; readonly winning: number }[] {
  const groups = new Map<number, { tickets: number; winning: number }>();
  isWinning.forEach((wins, position) => {
    const key = groupOf(position);
    const group = groups.get(key) ?? { tickets: 0, winning: 0 };
    group.tickets += 1;
    group.winning += wins;
    groups.set(key, group);
  });
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([key, group]) => ({ name: String(key), ...group }));
}

function heatMapsOf({ game, measurements }: ObservedBlock): readonly HeatMap[] {
  const byGrids = new Map<string, Measurement[]>();
  for (const measurement of measurements) {
    if (measurement.subject?.kind !== 'cell') continue;
    const { grids } = measurement.subject;
    byGrids.set(grids, [...(byGrids.get(grids) ?? []), measurement]);
  }
  const maps = [...byGrids].map(([grids, cells]) => ({
    grids,
    group: cells[0]?.group ?? 'symbols',
    ...game.grid,
    symbols: game.symbols.map(({ code, id }, symbol) => ({
      code,
      name: id,
      cells: cells.map((cell) => cellCount(cell, symbol)),
    })),
  }));
  // A game without EXTRA stages has no cells in them.
  return maps.filter(({ symbols }) => symbols.some(({ cells }) => cells.some(isExpected)));
}

function isExpected({ expected }: Count): boolean {
  return expected > 0;
}

function cellCount({ evidence }: Measurement, symbol: number): Count {
  if (evidence.kind !== 'vector') return { found: 0, expected: 0, deviation: 0 };
  const { observed, expected, covariance } = evidence;
  const variance = covariance[symbol * observed.length + symbol] ?? 0;
  return {
    found: observed[symbol] ?? 0,
    expected: expected[symbol] ?? 0,
    deviation: Math.sqrt(Math.max(0, variance)),
  };
}
