import type { EngineId } from '../core/algorithm.js';
import type { Game, Stake } from '../definitions/game.js';
import type { Compression, TicketFormat } from '../formats/ticket-formats.js';

/**
 * An entry of a job file: a range of blocks that differ in nothing but their number.
 *
 * @group Batches
 */
export interface Job {
  /** What decides the tables, the symbols and the rules. */
  readonly game: Game;
  /** What is sold at its price. */
  readonly stake: Stake;
  /** The generator of random numbers. */
  readonly engine: EngineId;
  /** Number of the first block. */
  readonly first: number;
  /** Number of the last block. */
  readonly last: number;
  /** The hash of the definition that was approved, which it has; not there where none is stated. */
  readonly approvedDefinition?: string | undefined;
  /** In the order of the manifest. */
  readonly formats: readonly TicketFormat[];
  /** `undefined` where the tickets files are not compressed. */
  readonly compression: Compression | undefined;
  /** The folders between the output folder and those of the blocks; often none. */
  readonly subfolders: readonly string[];
}

/**
 * A policy that a job file can ask for.
 *
 * @group Batches
 */
export type PolicyId = 'production';

/**
 * A checked job file.
 *
 * @group Batches
 */
export interface Jobs {
  /** Of all its blocks, from 1. */
  readonly emission: number;
  /** Whether every block gets its `commitment.json`; none where it is left out. */
  readonly commitTickets?: boolean | undefined;
  /** What is asked of every block beside the rules; nothing where it is left out. */
  readonly policy?: PolicyId | undefined;
  /** In the order of the file. */
  readonly jobs: readonly Job[];
}
