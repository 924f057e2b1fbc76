import type { ByteWindow, DecodedRecord } from '../formats/record-decoder.js';
import type { FindingCode } from './finding.js';

/** What a record's grids are handed over in; evaluators know the formats by nothing else. */
export type { ByteWindow, DecodedRecord };

/**
 * What a ticket's symbols amount to under the rules, worked out from the symbols alone.
 *
 * @group Tickets
 */
export interface Evaluation {
  /** 0 where it loses. */
  readonly prizeCents: number;
  /** As in the records of tickets; empty where it loses. */
  readonly combination: string;
  /** EXTRA stages (rows mechanic) or chosen symbols (collect mechanic). */
  readonly feature: number;
}

/**
 * One thing in a ticket's grids that is against the rules.
 *
 * @group Tickets
 */
export interface Fault {
  /** The code of the finding that it is. */
  readonly code: FindingCode;
  /** 1 is the main grid or the first choice. */
  readonly grid?: number;
  /** From 1, from the top. */
  readonly row?: number;
  /** In words for people. */
  readonly expected: string;
  /** In words for people. */
  readonly found: string;
}

/**
 * The result of the careful evaluation: everything that is wrong, and the worth of the symbols.
 *
 * @group Tickets
 */
export interface Explanation {
  /** All that is against the rules; empty where the ticket is right. */
  readonly faults: readonly Fault[];
  /** What the symbols are worth all the same. */
  readonly evaluation: Evaluation;
}

/**
 * The judging part of a mechanic, written from the regulation. It shares no code with the rules that
 * plan outcomes, with the synthesizer or with the encoders, and trusts nothing but the symbols.
 */
export interface Evaluator {
  /**
   * Judges a record's grids by tables.
   *
   * @returns An index into {@link evaluations}, or -1 where something is against the rules.
   */
  evaluate(window: ByteWindow, record: DecodedRecord): number;
  /** Every different evaluation met so far; an index keeps its meaning. */
  readonly evaluations: readonly Evaluation[];
  /** Judges grids (rows of letters) step by step and says all that is wrong with them. */
  explain(grids: readonly (readonly string[])[]): Explanation;
}
