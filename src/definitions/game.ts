import type { Definition, SymbolRole } from './definition.js';

export type { SymbolRole } from './definition.js';

/** One symbol of a game; its code is one letter, A to Z. */
export interface GameSymbol {
  readonly code: string;
  readonly id: string;
  readonly role: SymbolRole;
}

/** One line of the prize table: so many tickets of this prize in each block. */
export interface Tier {
  readonly prizeCents: number;
  readonly count: number;
}

/** One winning combination: so many of a symbol (of the chosen one where there is none) pay this. */
export interface PayLine {
  /** The code of the paying symbol; `undefined` in the collect mechanic. */
  readonly symbol: string | undefined;
  readonly count: number;
  readonly prizeCents: number;
}

/** What is sold at one price: its prize table and what its combinations pay. */
export interface Stake {
  readonly stakeCents: number;
  /** By prize, highest first. */
  readonly tiers: readonly Tier[];
  /** By amount, highest first; equal amounts in the definition's order. */
  readonly payTable: readonly PayLine[];
}

/** How many EXTRA symbols stand in each grid of a ticket, main grid first, and how often. */
export interface ExtraVector {
  readonly extra: readonly number[];
  readonly weight: number;
}

/** How often tickets have this number of EXTRA stages, whatever they win. */
export interface ExtraStageLaw {
  readonly stages: number;
  readonly weight: number;
  readonly vectors: readonly ExtraVector[];
}

interface GameBase {
  readonly id: string;
  readonly name: string;
  /** SHA-256, in lower-case hex, of the definition's RFC 8785 form. */
  readonly definitionSha256: string;
  /** Tickets in a block. */
  readonly blockSize: number;
  readonly grid: { readonly rows: number; readonly columns: number };
  readonly symbols: readonly GameSymbol[];
  readonly stakes: readonly Stake[];
}

/** A game whose winning combinations are identical symbols in one row (Eldorado). */
export interface RowsGame extends GameBase {
  readonly mechanic: 'rows';
  readonly policy: {
    readonly extraStages: readonly ExtraStageLaw[];
    readonly compositionWeights: readonly number[];
  };
}

/** A game in which the player chooses a symbol and collects it in the grid (Lagon Paradis). */
export interface CollectGame extends GameBase {
  readonly mechanic: 'collect';
  readonly policy: {
    readonly losingCounts: readonly { readonly chosen: number; readonly weight: number }[];
    readonly unchosenCap: number | null;
    readonly neutralCap: number | null;
  };
}

/** A checked game definition in the form that the program works on. */
export type Game = RowsGame | CollectGame;

/** The games' mechanics. */
export type MechanicId = Game['mechanic'];

/** The codes of the symbols of one role, in the definition's order. */
export function symbolCodes(game: Game, role: SymbolRole): readonly string[] {
  return game.symbols.filter((symbol) => symbol.role === role).map((symbol) => symbol.code);
}

/**
 * Restates a definition that has passed the schema as a game.
 *
 * @param definitionSha256 - The hash of the definition's RFC 8785 form, lower-case hex.
 */
export function toGame(definition: Definition, definitionSha256: string): Game {
  const base: GameBase = {
    id: definition.id,
    name: definition.name,
    definitionSha256,
    blockSize: definition.block_size,
    grid: definition.grid,
    symbols: definition.symbols,
    stakes: definition.stakes.map(toStake),
  };
  if (definition.mechanic === 'rows') {
    const { extra_stages, composition_weights } = definition.policy;
    const policy = { extraStages: extra_stages, compositionWeights: composition_weights };
    return { ...base, mechanic: 'rows', policy };
  }
  const { losing_counts, unchosen_cap, neutral_cap } = definition.policy;
  return {
    ...base,
    mechanic: 'collect',
    policy: { losingCounts: losing_counts, unchosenCap: unchosen_cap, neutralCap: neutral_cap },
  };
}

function toStake(stake: Definition['stakes'][number]): Stake {
  return {
    stakeCents: stake.stake_cents,
    tiers: stake.tiers
      .map(({ prize_cents, count }) => ({ prizeCents: prize_cents, count }))
      .toSorted((a, b) => b.prizeCents - a.prizeCents),
    payTable: stake.pay_table
      .map(({ symbol, count, prize_cents }) => ({ symbol, count, prizeCents: prize_cents }))
      .toSorted((a, b) => b.prizeCents - a.prizeCents),
  };
}
