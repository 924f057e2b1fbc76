import type { Job } from './job.js';

/**
 * What a number of blocks amounts to.
 *
 * @group Batches
 */
export interface BatchTotals {
  /** How many there are. */
  readonly blocks: number;
  /** Of all of them. */
  readonly tickets: number;
  /** All their tickets. */
  readonly salesCents: number;
  /** All their prizes. */
  readonly prizesCents: number;
}

/** What one block of an entry amounts to, by its definition. */
export function blockTotals({ game, stake }: Pick<Job, 'game' | 'stake'>): BatchTotals {
  const prizesCents = stake.tiers.reduce((sum, tier) => sum + tier.prizeCents * tier.count, 0);
  const tickets = game.blockSize;
  return { blocks: 1, tickets, salesCents: tickets * stake.stakeCents, prizesCents };
}

/** What all blocks of some entries amount to. */
export function totalsOf(jobs: readonly Job[]): BatchTotals {
  return sumTotals(
    jobs.map((job) => {
      const blocks = job.last - job.first + 1;
      const one = blockTotals(job);
      return {
        blocks,
        tickets: blocks * one.tickets,
        salesCents: blocks * one.salesCents,
        prizesCents: blocks * one.prizesCents,
      };
    }),
  );
}

/** Adds up. */
export function sumTotals(parts: readonly BatchTotals[]): BatchTotals {
  const sum = (key: keyof BatchTotals): number => parts.reduce((all, part) => all + part[key], 0);
  return {
    blocks: sum('blocks'),
    tickets: sum('tickets'),
    salesCents: sum('salesCents'),
    prizesCents: sum('prizesCents'),
  };
}
