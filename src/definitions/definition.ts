/**
 * A game definition as its JSON file says it, after the schema check
 * (`schemas/definition.schema.json`). Amounts are integer cents, weights are integers.
 * The program itself works on {@link Game}, see `game.ts`.
 */
interface DefinitionBase {
  readonly format: 'gen-block-definition/1';
  readonly id: string;
  readonly name: string;
  readonly currency: 'EUR';
  readonly block_size: number;
  readonly grid: { readonly rows: number; readonly columns: number };
  readonly symbols: readonly DefinitionSymbol[];
  readonly stakes: readonly DefinitionStake[];
  /** Where each field comes from: an article of the regulation, or policy of the operator. */
  readonly sources: readonly DefinitionSource[];
}

interface DefinitionSymbol {
  /** One letter, A to Z. */
  readonly code: string;
  readonly id: string;
  readonly role: SymbolRole;
}

/** `pay` and `trigger` belong to the rows mechanic, `play` and `neutral` to the collect mechanic. */
export type SymbolRole = 'pay' | 'trigger' | 'play' | 'neutral';

export interface DefinitionStake {
  readonly stake_cents: number;
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

export type DefinitionSource =
  | { readonly pointer: string; readonly source: 'regulation'; readonly article: string }
  | { readonly pointer: string; readonly source: 'policy'; readonly note: string };

interface RowsDefinition extends DefinitionBase {
  readonly mechanic: 'rows';
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

interface CollectDefinition extends DefinitionBase {
  readonly mechanic: 'collect';
  readonly policy: {
    /** The law of the number of chosen symbols on losing tickets. */
    readonly losing_counts: readonly { readonly chosen: number; readonly weight: number }[];
    /** The most of each play symbol that was not chosen in one grid; null for no cap. */
    readonly unchosen_cap: number | null;
    /** The most of each neutral symbol in one grid; null for no cap. */
    readonly neutral_cap: number | null;
  };
}

export type Definition = RowsDefinition | CollectDefinition;
