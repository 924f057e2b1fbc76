import type { EngineId } from '../core/algorithm.js';
import type { Game, Stake } from '../definitions/game.js';
import type { Compression, TicketFormat } from '../formats/ticket-formats.js';

/** An entry of a job file: a range of blocks that differ in nothing but their number. */
export interface Job {
  readonly game: Game;
  readonly stake: Stake;
  readonly engine: EngineId;
  /** Number of the first block. */
  readonly first: number;
  /** Number of the last block. */
  readonly last: number;
  /** The hash of the definition that was approved, which it has; not there where none is stated. */
  readonly approvedDefinition?: string | undefined;
  /** In the order of the manifest. */
  readonly formats: readonly TicketFormat[];
  readonly compression: Compression | undefined;
  /** The folders between the output folder and those of the blocks; often none. */
  readonly subfolders: readonly string[];
}

/** A policy that a job file can ask for. */
export type PolicyId = 'production';

/** A checked job file. */
export interface Jobs {
  readonly emission: number;
  /** Whether every block gets its `commitment.json`; none where it is left out. */
  readonly commitTickets?: boolean | undefined;
  /** What is asked of every block beside the rules; nothing where it is left out. */
  readonly policy?: PolicyId | undefined;
  readonly jobs: readonly Job[];
}
