/**
 * A game definition as its JSON file says it, after the schema check
 * (`schemas/definition.schema.json`). Amounts are integer cents, weights are integers.
 * The program itself works on {@link Game}, see `game.ts`.
 */
interface DefinitionBase {
  /** The version of its form. */
  readonly format: 'gen-block-definition/1';
  /** Such as `eldorado`; the name of a block begins with it. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** All amounts are in its cents. */
  readonly currency: 'EUR';
  /** Tickets in a block. */
  readonly block_size: number;
  /** The size of each grid, in cells. */
  readonly grid: { readonly rows: number; readonly columns: number };
  /** The order of the play symbols is that of the choices. */
  readonly symbols: readonly DefinitionSymbol[];
  /** All prices at which it is sold. */
  readonly stakes: readonly DefinitionStake[];
  /** Where each field comes from: an article of the regulation, or policy of the operator. */
  readonly sources: readonly DefinitionSource[];
}

/**
 * One symbol of a game as its definition says it.
 *
 * @group Games and definitions
 */
export interface DefinitionSymbol {
  /** One letter, A to Z. */
  readonly code: string;
  /** Its name. */
  readonly id: string;
  /** What it can do. */
  readonly role: SymbolRole;
}

/**
 * `pay` and `trigger` belong to the rows mechanic, `play` and `neutral` to the collect mechanic.
 *
 * @group Games and definitions
 */
export type SymbolRole = 'pay' | 'trigger' | 'play' | 'neutral';

/**
 * What is sold at one price, as the definition says it: the table, its sums, what combinations pay.
 *
 * @group Games and definitions
 */
export interface DefinitionStake {
  /** The price of a ticket. */
  readonly stake_cents: number;
  /** By prize, highest first. */
  readonly tiers: readonly {
    readonly count: number;
    readonly prize_cents: number;
    readonly total_cents: number;
  }[];
  /** The sums that the regulation itself prints under the table. */
  readonly declared: { readonly winning_tickets: number; readonly prizes_cents: number };
  /** What each winning combination pays; `symbol` is absent in the collect mechanic. */
  readonly pay_table: readonly {
    readonly symbol?: string;
    readonly count: number;
    readonly prize_cents: number;
  }[];
}

/**
 * Where a field comes from: an article of the regulation, perhaps with a note such as a corrigendum, or
 * the policy of the operator, with a note.
 *
 * @group Games and definitions
 */
export type DefinitionSource =
  | {
      readonly pointer: string;
      readonly source: 'regulation';
      readonly article: string;
      readonly note?: string;
    }
  | { readonly pointer: string; readonly source: 'policy'; readonly note: string };

/**
 * The definition of a game of the rows mechanic.
 *
 * @group Games and definitions
 */
export interface RowsDefinition extends DefinitionBase {
  /** What tells it from the other games. */
  readonly mechanic: 'rows';
  /** What the operator decides, and no rule. */
  readonly policy: {
    /** The law of the number of EXTRA stages, one for every tier and for losing tickets. */
    readonly extra_stages: readonly {
      readonly stages: number;
      readonly weight: number;
      /** The law of the number of EXTRA symbols in each grid, main grid first. */
      readonly vectors: readonly { readonly extra: readonly number[]; readonly weight: number }[];
    }[];
    /** The weight of a composition by its number of winning rows, from one row up. */
    readonly composition_weights: readonly number[];
  };
}

/**
 * The definition of a game of the collect mechanic.
 *
 * @group Games and definitions
 */
export interface CollectDefinition extends DefinitionBase {
  /** What tells it from the other games. */
  readonly mechanic: 'collect';
  /** What the operator decides, and no rule. */
  readonly policy: {
    /** The law of the number of chosen symbols on losing tickets. */
    readonly losing_counts: readonly { readonly chosen: number; readonly weight: number }[];
    /** The most of each play symbol that was not chosen in one grid; null for no cap. */
    readonly unchosen_cap: number | null;
    /** The most of each neutral symbol in one grid; null for no cap. */
    readonly neutral_cap: number | null;
  };
}

/**
 * A game definition as its JSON file says it (`schemas/definition.schema.json`).
 *
 * @group Games and definitions
 */
export type Definition = RowsDefinition | CollectDefinition;
