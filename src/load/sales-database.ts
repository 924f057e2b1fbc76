import type { BlockFile } from '../verify/block-file.js';

/**
 * The states of a block in a database: loaded but not yet sold from, on sale, sold to the last ticket,
 * taken out of sale for good.
 *
 * @group Sales databases
 */
export type BlockState = 'loaded' | 'on sale' | 'sold out' | 'withdrawn';

/** A block on the disk that is to be loaded. */
export interface BlockToLoad {
  readonly block: BlockFile;
  /** Puts the block on sale in the same transaction; a withdrawn block stays withdrawn. */
  readonly onSale: boolean;
}

/**
 * What came of it.
 *
 * @group Sales databases
 */
export interface LoadOutcome {
  /** `false` where the database had the same block already. */
  readonly isNew: boolean;
  /** What it is now. */
  readonly state: BlockState;
}

/** How loading is watched and stopped from outside. */
export interface LoadWatch {
  /** Called with the number of tickets handed over since the last call. */
  readonly onTickets?: ((count: number) => void) | undefined;
  /** Stops the load: nothing of it stays in the database. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The tickets of one prize in a block; those that do not win have the prize 0.
 *
 * @group Sales databases
 */
export interface PrizeStatus {
  /** 0 for those that do not win. */
  readonly prizeCents: number;
  /** How many have it. */
  readonly tickets: number;
  /** How many of them are sold. */
  readonly sold: number;
}

/**
 * How far a block has been sold. Counts only: nothing says where the remaining prizes are.
 *
 * @group Sales databases
 */
export interface BlockStatus {
  /** Such as `eldorado-100-e1-b1`. */
  readonly name: string;
  /** Such as `eldorado`. */
  readonly gameId: string;
  /** The price of a ticket. */
  readonly stakeCents: number;
  /** From 1. */
  readonly emission: number;
  /** From 1. */
  readonly block: number;
  /** Whether it is being sold. */
  readonly state: BlockState;
  /** How many it has. */
  readonly tickets: number;
  /** How many of them are sold. */
  readonly sold: number;
  /** By prize, descending. */
  readonly prizes: readonly PrizeStatus[];
}

/** What a database says of a block beside its manifest: columns of its row in `blocks`, by their names. */
export interface BlockEntry {
  readonly name: string;
  readonly game: string;
  readonly stake_cents: number;
  readonly emission: number;
  readonly block: number;
  readonly tickets: number;
  /** SHA-256 of `tickets.csv`, in lower-case hex, as of {@link manifest_sha256}. */
  readonly csv_sha256: string;
  readonly manifest_sha256: string;
}

/** A block in a database, as a verification takes it. */
export interface StoredBlock {
  readonly entry: BlockEntry;
  /** The bytes of its manifest, as they were loaded. */
  readonly manifest: Uint8Array;
  /** The bytes of `tickets.csv`, made out of the rows of the database in the order of their numbers. */
  csv(): AsyncIterable<Uint8Array>;
  /** What does not fit together about its sales, a line each. */
  saleFaults(): Promise<readonly string[]>;
}

/**
 * A database that tickets are sold from. Its schema stands in `schemas/<kind>/`.
 *
 * @group Sales databases
 */
export interface SalesDatabase {
  /** What it is called in messages; without a password. */
  readonly label: string;
  /** Whether others on the way can read what is sent. */
  readonly isExposed: boolean;
  /**
   * Makes the schema, or brings it to this program's version.
   *
   * @throws InputError `newer-schema` where a later version of this program made it; MachineError.
   */
  prepare(): Promise<void>;
  /**
   * Loads a block in one transaction: all of it, or nothing. Before the transaction ends, the database
   * itself counts the tickets and holds them against the manifest.
   *
   * @throws InputError `target-exists` where another block of this identity is there, `not-a-block`
   * where the file is not that of the manifest or the counts are others; MachineError.
   * @internal {@link loadBlock} is the way in.
   */
  load(block: BlockToLoad, watch?: LoadWatch): Promise<LoadOutcome>;
  /** All blocks, by game, stake, emission and number. */
  status(): Promise<readonly BlockStatus[]>;
  /**
   * Opens a block for verification. All that is read of it is of one moment.
   *
   * @throws InputError `not-found`; MachineError.
   * @internal {@link verifyStoredBlock} is the way in.
   */
  open(name: string): Promise<StoredBlock>;
  /** Lets go of the database. */
  close(): Promise<void>;
}
