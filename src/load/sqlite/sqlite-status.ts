import { setImmediate } from 'node:timers/promises';
import { defined } from '../../core/assert.js';
import { sumOf } from '../../core/sum-of.js';
import type { BlockStatus, PrizeStatus } from '../sales-database.js';
import type { SqliteConnection } from './sqlite-connection.js';

/**
 * What has been sold of a block, a row for each prize. One statement: the state and the counts are of one
 * moment. Only the rows of this one block are read.
 */
export const STATUS_SQL = `
  select
    b.name, b.game as gameId, b.stake_cents as stakeCents, b.emission, b.block, b.state,
    t.prize_cents as prizeCents, count(*) as tickets, count(t.sale_reference) as sold
  from blocks b join tickets t using (block_id)
  where t.block_id = :block_id
  group by t.prize_cents
  order by t.prize_cents desc`;

/** Counts what has been sold of each block, in the order of game, stake, emission and number. */
export async function readStatus(connection: SqliteConnection): Promise<readonly BlockStatus[]> {
  const blocks = (await connection.patiently(() =>
    connection.all(
      'select block_id as blockId from blocks order by game, stake_cents, emission, block',
    ),
  )) as readonly { readonly blockId: number }[];
  const statuses: BlockStatus[] = [];
  for (const { blockId } of blocks) {
    statuses.push(await connection.patiently(() => blockStatus(connection, blockId)));
    // A block takes part of a second: signals come through between two of them.
    await setImmediate();
  }
  return statuses;
}

/** A row of prizes with the block that they are of. */
type StatusRow = Omit<BlockStatus, 'tickets' | 'sold' | 'prizes'> & PrizeStatus;

function blockStatus(connection: SqliteConnection, blockId: number): BlockStatus {
  const rows = connection.all(STATUS_SQL, { block_id: blockId }) as readonly StatusRow[];
  const { name, gameId, stakeCents, emission, block, state } = defined(
    rows[0],
    'a prize of a block',
  );
  const prizes = rows.map(({ prizeCents, tickets, sold }) => ({ prizeCents, tickets, sold }));
  const tickets = sumOf(prizes.map((prize) => prize.tickets));
  const sold = sumOf(prizes.map((prize) => prize.sold));
  return { name, gameId, stakeCents, emission, block, state, tickets, sold, prizes };
}
