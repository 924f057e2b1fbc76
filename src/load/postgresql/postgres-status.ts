import type { Client } from 'pg';
import type { BlockState, BlockStatus, PrizeStatus } from '../sales-database.js';

interface StatusRow {
  readonly name: string;
  readonly game: string;
  // The driver gives 64-bit integers as text.
  readonly stake_cents: string;
  readonly emission: number;
  readonly block: number;
  readonly state: BlockState;
  readonly prize_cents: string;
  readonly tickets: string;
  readonly sold: string;
}

/** How far each block has been sold. */
export async function readStatus(client: Client): Promise<readonly BlockStatus[]> {
  const { rows } = await client.query<StatusRow>('select * from gen_block.block_status()');
  const byName = new Map<string, { readonly row: StatusRow; readonly prizes: PrizeStatus[] }>();
  for (const row of rows) {
    const entry = byName.get(row.name) ?? { row, prizes: [] };
    byName.set(row.name, entry);
    entry.prizes.push({
      prizeCents: Number(row.prize_cents),
      tickets: Number(row.tickets),
      sold: Number(row.sold),
    });
  }
  return [...byName.values()].map(({ row, prizes }) => ({
    name: row.name,
    gameId: row.game,
    stakeCents: Number(row.stake_cents),
    emission: row.emission,
    block: row.block,
    state: row.state,
    tickets: prizes.reduce((sum, { tickets }) => sum + tickets, 0),
    sold: prizes.reduce((sum, { sold }) => sum + sold, 0),
    prizes,
  }));
}
