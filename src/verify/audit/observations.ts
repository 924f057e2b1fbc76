import type { FeatureName } from '../../definitions/features.js';
import type { Game, Stake } from '../../definitions/game.js';
import type { Outcome } from '../../definitions/outcome-law.js';
import type { ByteWindow, DecodedRecord } from '../../formats/record-decoder.js';
import type { Measurement } from './evidence.js';

/** What is counted while the tickets of a block are read once; all tests are made of it. */
export interface Observations {
  /** The outcomes of the game at the block's stake, in the law's order. */
  readonly outcomes: readonly Outcome[];
  /** What the feature of an outcome is. */
  readonly featureName: FeatureName;
  /** By ticket: its outcome's index. */
  readonly outcomeOf: Uint16Array;
  /** By the length of a ticket's `grids` field, in bytes. */
  readonly fieldLengths: ReadonlyMap<number, WinCount>;
  readonly fingerprints: Fingerprints;
  readonly symbols: SymbolObserver;
}

/** Tickets of some kind, and the winning ones among them. */
export interface WinCount {
  tickets: number;
  winners: number;
}

/** A hash of 85 bits of every ticket's symbols, as a key of 53 bits and the rest. */
export interface Fingerprints {
  readonly keys: Float64Array;
  readonly rests: Uint32Array;
}

/** Tickets whose symbols come from one law, and the chance that two of them are the same. */
export interface CollisionClass {
  readonly key: string;
  readonly outcome: number;
  readonly tickets: number;
  readonly chance: number;
}

/** Counts the symbols of a mechanic's tickets, and measures them against their law. */
export interface SymbolObserver {
  /** Takes a ticket of a verified file. */
  take(window: ByteWindow, record: DecodedRecord, outcome: number): void;
  /** The evidence for every test of symbols. */
  measure(): readonly Measurement[];
  /** The block's tickets by the law of their symbols. */
  collisionClasses(): readonly CollisionClass[];
}

/** The audit part of a mechanic for one game and stake: the law of its symbols, worked out once. */
export interface SymbolAudit {
  observer(): SymbolObserver;
}

/** What a mechanic's audit is made from. */
export interface SymbolAuditInput<G extends Game = Game> {
  readonly game: G;
  readonly stake: Stake;
  readonly outcomes: readonly Outcome[];
}
