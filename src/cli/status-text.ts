import { formatCount, formatEuros } from '../core/money.js';
import type { BlockStatus, PrizeStatus } from '../load/sales-database.js';
import { pc } from './colors.js';
import { table } from './report-text.js';

/** How far blocks have been sold, for people to read. */
export function statusText(label: string, blocks: readonly BlockStatus[]): string {
  if (blocks.length === 0) return `${pc.bold(label)}\n\nno blocks\n`;
  return `${[pc.bold(label), ...blocks.map(blockText)].join('\n\n')}\n`;
}

function blockText({ name, state, tickets, sold, prizes }: BlockStatus): string {
  const share = tickets === 0 ? '' : ` (${((100 * sold) / tickets).toFixed(2)} %)`;
  const title = `${pc.bold(name)}: ${state}, ${formatCount(sold)} of ${formatCount(tickets)} tickets sold${share}`;
  const rows = prizes.map((prize) => [
    formatEuros(prize.prizeCents),
    formatCount(prize.tickets),
    formatCount(prize.sold),
    formatCount(prize.tickets - prize.sold),
  ]);
  const left = prizes.reduce((sum, prize) => sum + prize.prizeCents * leftOf(prize), 0);
  const counts = table(['prize (EUR)', 'tickets', 'sold', 'left'], rows);
  return `${title}\n${counts}\nPrizes left: ${formatEuros(left)} EUR.`;
}

function leftOf({ tickets, sold }: PrizeStatus): number {
  return tickets - sold;
}

/** The same for programs: `schemas/status.schema.json`. */
export function statusJson(blocks: readonly BlockStatus[]): object {
  return {
    format: 'gen-block-status/1',
    blocks: blocks.map(({ name, gameId, stakeCents, emission, block, state, ...counts }) => ({
      name,
      game: gameId,
      stake_cents: stakeCents,
      emission,
      block,
      state,
      tickets: counts.tickets,
      sold: counts.sold,
      prizes: counts.prizes.map((prize) => ({
        prize_cents: prize.prizeCents,
        tickets: prize.tickets,
        sold: prize.sold,
        left: leftOf(prize),
      })),
    })),
  };
}
