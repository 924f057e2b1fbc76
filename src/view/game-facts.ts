import { sumOf } from '../core/sum-of.js';
import type { DefinitionSource } from '../definitions/definition.js';
import type { Game, GameSymbol, PayLine, Stake } from '../definitions/game.js';
import type { DefinedGame } from '../definitions/load-game.js';
import { planOutcomes, rulesOf } from '../definitions/mechanics.js';
import type { FeatureName } from '../definitions/features.js';
import type { Outcome, TierLaw } from '../definitions/outcome-law.js';
import { sourceOf } from '../definitions/sources-check.js';

/**
 * A game at all its stakes, worked out of the definition alone; no block is needed.
 *
 * @group Games and definitions
 */
export interface GameFacts {
  /** Such as `eldorado`. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** SHA-256 of the definition's RFC 8785 form, lower-case hex. */
  readonly definitionSha256: string;
  /** How tickets win. */
  readonly mechanic: Game['mechanic'];
  /** The size of each grid, in cells. */
  readonly grid: { readonly rows: number; readonly columns: number };
  /** In the definition's order. */
  readonly symbols: readonly GameSymbol[];
  /** Tickets in a block. */
  readonly blockTickets: number;
  /** The most of a symbol in a grid, where the player chooses one; what is absent has no limit. */
  readonly caps?: {
    /** Of each symbol that could have been chosen and was not. */
    readonly unchosen?: number;
    /** Of each neutral symbol. */
    readonly neutral?: number;
  };
  /** Those that were asked for. */
  readonly stakes: readonly StakeFacts[];
  /** Where fields of the definition come from. */
  readonly sources: {
    readonly blockTickets: DefinitionSource | undefined;
    readonly grid: DefinitionSource | undefined;
    /** Of each symbol, in their order; none where the fields within have sources of their own. */
    readonly symbols: readonly DefinitionSource[];
    readonly policy: DefinitionSource | undefined;
    /** Of fields within the policy; none where none has a source of its own. */
    readonly policyParts: readonly DefinitionSource[];
  };
}

/**
 * What a block of one stake sells, pays and holds.
 *
 * @group Games and definitions
 */
export interface StakeFacts {
  /** The price of a ticket. */
  readonly stakeCents: number;
  /** All tickets of a block. */
  readonly salesCents: number;
  /** All prizes of a block. */
  readonly prizesCents: number;
  /** Prizes over sales. */
  readonly payOut: number;
  /** In each block, exactly. */
  readonly winningTickets: number;
  /** Tickets whose prize is larger than their price. */
  readonly ticketsAboveStake: number;
  /** Standard deviation of a ticket's prize over the whole block, in stakes. */
  readonly volatility: number;
  /** By prize, highest first. */
  readonly tiers: readonly PrizeFacts[];
  /** What each winning combination pays, highest first. */
  readonly payTable: readonly PayLine[];
  /** What the features count. */
  readonly featureName: FeatureName;
  /** By number of EXTRA stages or of chosen symbols. */
  readonly features: readonly FeatureShare[];
  /** Where the tables come from. */
  readonly sources: {
    readonly tiers: DefinitionSource | undefined;
    readonly payTable: DefinitionSource | undefined;
  };
}

/**
 * One line of the prize table, and how its prize can come about.
 *
 * @group Games and definitions
 */
export interface PrizeFacts {
  /** The prize of each ticket. */
  readonly prizeCents: number;
  /** Tickets in each block, exactly. */
  readonly tickets: number;
  /** All its tickets of a block. */
  readonly totalCents: number;
  /** One ticket in so many has this prize. */
  readonly oneIn: number;
  /** The tier's part of all prize money. */
  readonly shareOfPrizes: number;
  /** All ways in which it can come about. */
  readonly compositions: readonly CompositionFacts[];
}

/**
 * Winning combinations that together make a tier's prize.
 *
 * @group Games and definitions
 */
export interface CompositionFacts {
  /** The `combination` field of such tickets. */
  readonly combination: string;
  /** Highest first. */
  readonly lines: readonly PayLine[];
  /** On the average of many blocks; each block has a whole number beside it. */
  readonly expectedTickets: number;
}

/**
 * Tickets with one number of EXTRA stages or chosen symbols.
 *
 * @group Games and definitions
 */
export interface FeatureShare {
  /** EXTRA stages or chosen symbols of a ticket. */
  readonly feature: number;
  /** On the average of many blocks. */
  readonly expectedTickets: number;
  /** Of these, as many win, on the average of many blocks. */
  readonly expectedWinningTickets: number;
  /** How the EXTRA symbols are spread over the grids, main grid first; only where there are any. */
  readonly extraVectors?: readonly {
    readonly extra: readonly number[];
    /** Its part of the tickets with so many stages. */
    readonly share: number;
  }[];
}

/**
 * Works out what people ask about a game.
 *
 * @param defined - What {@link loadDefinedGame} or {@link readDefinedGame} returns.
 * @param stakes - Those to work out; all by default.
 * @returns Amounts in cents, counts of a block, and expectations over many blocks.
 * @group Games and definitions
 */
export function gameFacts(
  { definition, game }: DefinedGame,
  stakes: readonly Stake[] = game.stakes,
): GameFacts {
  const caps = capsOf(game);
  return {
    id: game.id,
    name: game.name,
    definitionSha256: game.definitionSha256,
    mechanic: game.mechanic,
    grid: game.grid,
    symbols: game.symbols,
    blockTickets: game.blockSize,
    ...(caps && { caps }),
    stakes: stakes.map((stake) => {
      const pointer = `/stakes/${game.stakes.indexOf(stake)}`;
      const sources = {
        tiers: sourceOf(definition, `${pointer}/tiers`),
        payTable: sourceOf(definition, `${pointer}/pay_table`),
      };
      return { ...stakeFacts(game, stake), sources };
    }),
    sources: {
      blockTickets: sourceOf(definition, '/block_size'),
      grid: sourceOf(definition, '/grid'),
      symbols: symbolSources({ definition, game }),
      policy: sourceOf(definition, '/policy'),
      policyParts: definition.sources.filter(({ pointer }) => pointer.startsWith('/policy/')),
    },
  };
}

function capsOf(game: Game): GameFacts['caps'] {
  if (game.mechanic !== 'collect') return undefined;
  const { unchosenCap, neutralCap } = game.policy;
  return {
    ...(unchosenCap !== null && { unchosen: unchosenCap }),
    ...(neutralCap !== null && { neutral: neutralCap }),
  };
}

function symbolSources({ definition, game }: DefinedGame): readonly DefinitionSource[] {
  const sources = game.symbols.map((_, index) => sourceOf(definition, `/symbols/${index}`));
  const known = sources.filter((source) => source !== undefined);
  return known.length === sources.length ? known : [];
}

function stakeFacts(game: Game, stake: Stake): Omit<StakeFacts, 'sources'> {
  const { law } = planOutcomes(game, stake);
  const { stakeCents, tiers, payTable } = stake;
  const salesCents = game.blockSize * stakeCents;
  const prizesCents = sumOf(tiers.map(({ prizeCents, count }) => prizeCents * count));
  const above = tiers.filter(({ prizeCents }) => prizeCents > stakeCents);
  return {
    stakeCents,
    salesCents,
    prizesCents,
    payOut: prizesCents / salesCents,
    winningTickets: sumOf(tiers.map(({ count }) => count)),
    ticketsAboveStake: sumOf(above.map(({ count }) => count)),
    volatility: deviationOf(game, stake) / stakeCents,
    tiers: law
      .filter(({ prizeCents }) => prizeCents > 0)
      .map(({ prizeCents, count, features }) => ({
        prizeCents,
        tickets: count,
        totalCents: prizeCents * count,
        oneIn: game.blockSize / count,
        shareOfPrizes: (prizeCents * count) / prizesCents,
        compositions: compositionsOf({ prizeCents, count, features }, payTable),
      })),
    payTable,
    featureName: rulesOf(game).featureName,
    features: featureShares(game, law),
  };
}

/** Standard deviation of a ticket's prize, in cents: the block is the whole population. */
function deviationOf({ blockSize }: Game, { tiers }: Stake): number {
  const mean = sumOf(tiers.map(({ prizeCents, count }) => prizeCents * count)) / blockSize;
  const squares = tiers.map(({ prizeCents, count }) => count * (prizeCents - mean) ** 2);
  const winning = sumOf(tiers.map(({ count }) => count));
  return Math.sqrt((sumOf(squares) + (blockSize - winning) * mean ** 2) / blockSize);
}

/** An outcome of a tier and how many tickets have it on the average. */
interface ExpectedOutcome {
  readonly outcome: Outcome;
  readonly expectedTickets: number;
}

function expectedOutcomes({ count, features }: TierLaw): readonly ExpectedOutcome[] {
  const allFeatures = sumOf(features.map(({ weight }) => weight));
  return features.flatMap(({ weight, outcomes }) => {
    const all = sumOf(outcomes.map((weighted) => weighted.weight));
    return outcomes.map((weighted) => ({
      outcome: weighted.outcome,
      expectedTickets: (count * weight * weighted.weight) / (allFeatures * all),
    }));
  });
}

/** The ways to a prize, whatever else the tickets have; in the order of the law. */
function compositionsOf(tier: TierLaw, payTable: readonly PayLine[]): readonly CompositionFacts[] {
  const groups = groupBy(expectedOutcomes(tier), ({ outcome }) => outcome.combination);
  return [...groups].map(([combination, outcomes]) => ({
    combination,
    lines: (outcomes[0]?.outcome.composition ?? [])
      .map((index) => payTable[index])
      .filter((line) => line !== undefined),
    expectedTickets: sumOf(outcomes.map(({ expectedTickets }) => expectedTickets)),
  }));
}

function featureShares(game: Game, law: readonly TierLaw[]): readonly FeatureShare[] {
  const groups = groupBy(law.flatMap(expectedOutcomes), ({ outcome }) => outcome.feature);
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([feature, outcomes]) => {
      const winning = outcomes.filter(({ outcome }) => outcome.prizeCents > 0);
      const vectors = extraVectors(game, feature);
      return {
        feature,
        expectedTickets: sumOf(outcomes.map(({ expectedTickets }) => expectedTickets)),
        expectedWinningTickets: sumOf(winning.map(({ expectedTickets }) => expectedTickets)),
        ...(vectors && { extraVectors: vectors }),
      };
    });
}

function extraVectors(game: Game, stages: number): FeatureShare['extraVectors'] {
  if (game.mechanic !== 'rows') return undefined;
  const vectors = game.policy.extraStages.find((law) => law.stages === stages)?.vectors ?? [];
  const all = sumOf(vectors.map(({ weight }) => weight));
  return vectors
    .filter(({ weight }) => weight > 0)
    .map(({ extra, weight }) => ({ extra, share: weight / all }));
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
