import type { Definition, SymbolRole } from './definition.js';

export type { SymbolRole } from './definition.js';

/**
 * One symbol of a game; its code is one letter, A to Z.
 *
 * @group Games and definitions
 */
export interface GameSymbol {
  /** As it stands in grids: A to Z. */
  readonly code: string;
  /** Its name in the definition. */
  readonly id: string;
  /** What it can do. */
  readonly role: SymbolRole;
}

/**
 * One line of the prize table: so many tickets of this prize in each block.
 *
 * @group Games and definitions
 */
export interface Tier {
  /** The prize of each of its tickets. */
  readonly prizeCents: number;
  /** Tickets in each block, exactly. */
  readonly count: number;
}

/**
 * One winning combination: so many of a symbol (of the chosen one where there is none) pay this.
 *
 * @group Games and definitions
 */
export interface PayLine {
  /** The code of the paying symbol; `undefined` in the collect mechanic. */
  readonly symbol: string | undefined;
  /** How many of the symbol. */
  readonly count: number;
  /** What it pays. */
  readonly prizeCents: number;
}

/**
 * What is sold at one price: its prize table and what its combinations pay.
 *
 * @group Games and definitions
 */
export interface Stake {
  /** The price of a ticket. */
  readonly stakeCents: number;
  /** By prize, highest first. */
  readonly tiers: readonly Tier[];
  /** By amount, highest first; equal amounts in the definition's order. */
  readonly payTable: readonly PayLine[];
}

/**
 * How many EXTRA symbols stand in each grid of a ticket, main grid first, and how often.
 *
 * @group Games and definitions
 */
export interface ExtraVector {
  /** EXTRA symbols by grid, the main grid first. */
  readonly extra: readonly number[];
  /** Among the weights of all vectors of as many stages. */
  readonly weight: number;
}

/**
 * How often tickets have this number of EXTRA stages, whatever they win.
 *
 * @group Games and definitions
 */
export interface ExtraStageLaw {
  /** From 0. */
  readonly stages: number;
  /** Among the weights of all numbers of stages. */
  readonly weight: number;
  /** How the EXTRA symbols can be spread over the grids. */
  readonly vectors: readonly ExtraVector[];
}

interface GameBase {
  /** Such as `eldorado`. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** SHA-256, in lower-case hex, of the definition's RFC 8785 form. */
  readonly definitionSha256: string;
  /** Tickets in a block. */
  readonly blockSize: number;
  /** The size of each grid, in cells. */
  readonly grid: { readonly rows: number; readonly columns: number };
  /** In the definition's order, which is that of the choices, too. */
  readonly symbols: readonly GameSymbol[];
  /** All prices at which it is sold. */
  readonly stakes: readonly Stake[];
}

/**
 * A game whose winning combinations are identical symbols in one row (Eldorado).
 *
 * @group Games and definitions
 */
export interface RowsGame extends GameBase {
  /** What tells it from the other games. */
  readonly mechanic: 'rows';
  /** What the operator decides, and no rule. */
  readonly policy: {
    /** The law of the number of EXTRA stages, the same for every tier and for losing tickets. */
    readonly extraStages: readonly ExtraStageLaw[];
    /** The weight of a composition by its number of winning rows, from one row up. */
    readonly compositionWeights: readonly number[];
  };
}

/**
 * A game in which the player chooses a symbol and collects it in the grid (Lagon Paradis).
 *
 * @group Games and definitions
 */
export interface CollectGame extends GameBase {
  /** What tells it from the other games. */
  readonly mechanic: 'collect';
  /** What the operator decides, and no rule. */
  readonly policy: {
    /** The law of the number of chosen symbols on losing tickets. */
    readonly losingCounts: readonly { readonly chosen: number; readonly weight: number }[];
    /** The most of each play symbol that was not chosen in one grid; null for no cap. */
    readonly unchosenCap: number | null;
    /** The most of each neutral symbol in one grid; null for no cap. */
    readonly neutralCap: number | null;
  };
}

/**
 * A checked game definition in the form that the program works on.
 *
 * @group Games and definitions
 */
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
  // A mechanic without a case here does not compile.
  switch (definition.mechanic) {
    case 'rows': {
      const { extra_stages, composition_weights } = definition.policy;
      const policy = { extraStages: extra_stages, compositionWeights: composition_weights };
      return { ...base, mechanic: 'rows', policy };
    }
    case 'collect': {
      const { losing_counts, unchosen_cap, neutral_cap } = definition.policy;
      const policy = {
        losingCounts: losing_counts,
        unchosenCap: unchosen_cap,
        neutralCap: neutral_cap,
      };
      return { ...base, mechanic: 'collect', policy };
    }
  }
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
