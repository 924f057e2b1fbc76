import type { Shard } from './batch-plan.js';
import type { BatchTotals } from './batch-totals.js';

/**
 * What can become of a block of a batch.
 *
 * @group Batches
 */
export const BATCH_OUTCOMES = [
  'made',
  'kept',
  'remade',
  'joined',
  'missing',
  'refused',
  'failed',
] as const;

/** The outcomes of blocks that stand there whole now. */
export const WHOLE_OUTCOMES: ReadonlySet<BatchOutcome> = new Set([
  'made',
  'kept',
  'remade',
  'joined',
]);

/**
 * What has become of a block: it was made; it was there and whole, and was kept; it was there and
 * broken, and was made anew; it was joined out of a share; no share has it; something else stands under
 * its name, and was left alone; or it did not come about.
 *
 * @group Batches
 */
export type BatchOutcome = (typeof BATCH_OUTCOMES)[number];

/**
 * What has become of one block of a batch.
 *
 * @group Batches
 */
export interface BatchBlockResult {
  /** What the block is called, such as `eldorado-100-e1-b1`. */
  readonly name: string;
  /** The path of the block's folder. */
  readonly folder: string;
  /** What has become of it. */
  readonly outcome: BatchOutcome;
  /** By its definition, as what follows. */
  readonly tickets: number;
  /** All its tickets. */
  readonly salesCents: number;
  /** All its prizes. */
  readonly prizesCents: number;
  /** Not there where no clock was given. */
  readonly seconds?: number;
  /** Why it was made anew or refused, how it failed, or what of it could not be checked. */
  readonly reason?: string;
}

/**
 * What has become of a batch.
 *
 * @group Batches
 */
export interface BatchResult {
  /** The share that was made; not there for a whole batch. */
  readonly shard?: Shard;
  /** Those that were reached, in their order. */
  readonly blocks: readonly BatchBlockResult[];
  /** How many blocks have come to each outcome. */
  readonly counts: Readonly<Record<BatchOutcome, number>>;
  /** Blocks that were not reached, because something stopped the batch. */
  readonly leftCount: number;
  /** Of the blocks that stand there whole now. */
  readonly totals: BatchTotals;
  /** What could not be checked. */
  readonly notChecked?: readonly string[];
  /** What stopped the batch before its end: the reason of the signal, or a failure of the machine. */
  readonly stoppedBy?: Error;
}

/** The result of a batch, with what of its blocks could not be checked besides what it says already. */
export function withNotChecked(result: BatchResult, others: readonly string[] = []): BatchResult {
  const closed = result.blocks.filter(
    ({ outcome, reason }) => CHECKED_OUTCOMES.has(outcome) && reason !== undefined,
  ).length;
  const contents = `the contents of ${closed} encrypted ${closed === 1 ? 'block' : 'blocks'}: no identity was given`;
  const notChecked = closed === 0 ? others : [...others, contents];
  return notChecked.length === 0 ? result : { ...result, notChecked };
}

/** A block that was there has a reason only where something of it could not be checked. */
const CHECKED_OUTCOMES: ReadonlySet<BatchOutcome> = new Set(['kept', 'joined']);
