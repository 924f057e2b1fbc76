import { randomInt } from 'node:crypto';
import { InputError } from '../core/errors.js';
import { formatEuros } from '../core/money.js';
import type { Stake } from '../definitions/game.js';

/** Which tickets of a block are wanted. */
export interface TicketWish {
  /** Only tickets of this prize in cents; 0 for losing ones. */
  readonly prizeCents?: number | undefined;
  /** Any of them by the operating system's chance; else the first ones of the block. */
  readonly isRandom?: boolean | undefined;
  /** How many; fewer where there are not so many. */
  readonly count: number;
}

/**
 * Chooses tickets.
 *
 * @param prizes - By ticket, from number 1: its prize in cents.
 * @returns Their numbers, ascending.
 */
export function chooseTickets(wish: TicketWish, prizes: ArrayLike<number>): readonly number[] {
  const { prizeCents, count, isRandom = false } = wish;
  const chosen: number[] = [];
  let seen = 0;
  for (let index = 0; index < prizes.length; index += 1) {
    if (prizeCents !== undefined && prizes[index] !== prizeCents) continue;
    seen += 1;
    if (chosen.length < count) chosen.push(index + 1);
    else if (!isRandom) break;
    else {
      // Each of those seen so far stays with the same chance (reservoir sampling).
      const place = randomInt(seen);
      if (place < count) chosen[place] = index + 1;
    }
  }
  return chosen.sort((a, b) => a - b);
}

/**
 * The prize of a line of the prize table.
 *
 * @param tier - Its number, from 1, which is the highest prize.
 * @throws InputError `bad-number`.
 */
export function prizeOfTier({ tiers }: Stake, tier: number): number {
  const found = tiers[tier - 1];
  if (found !== undefined) return found.prizeCents;
  const message = `there is no tier ${tier}; choose one from 1, the highest prize, to ${tiers.length}`;
  throw new InputError('bad-number', message);
}

/** @throws InputError `bad-number` where the prize table does not have this prize. */
export function checkPrize({ tiers }: Stake, prizeCents: number): void {
  if (tiers.some((tier) => tier.prizeCents === prizeCents)) return;
  const prizes = tiers.map((tier) => formatEuros(tier.prizeCents)).join('; ');
  const message = `no ticket wins ${formatEuros(prizeCents)} euros; choose a prize of ${prizes}`;
  throw new InputError('bad-number', message);
}
