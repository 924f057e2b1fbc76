import { setImmediate } from 'node:timers/promises';
import { defined } from '../../core/assert.js';
import { sumOf } from '../../core/sum-of.js';
import type { BlockStatus, PrizeStatus } from '../sales-database.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** A block without what has to be counted. */
type BlockRow = Omit<BlockStatus, 'sold' | 'prizes'>;

/** Counts what has been sold of each block, in the order of game, stake, emission and number. */
export async function readStatus(connection: SqliteConnection): Promise<readonly BlockStatus[]> {
  const names = (await connection.patiently(() =>
    connection.all('select name from blocks order by game, stake_cents, emission, block'),
  )) as readonly Pick<BlockRow, 'name'>[];
  const statuses: BlockStatus[] = [];
  for (const { name } of names) {
    statuses.push(await connection.patiently(() => blockStatus(connection, name)));
    // A block takes part of a second: signals come through between two of them.
    await setImmediate();
  }
  return statuses;
}

/** A row of prizes with the block that they are of. */
type StatusRow = Omit<BlockRow, 'tickets'> & PrizeStatus;

/** One statement for a block: its state and its counts are of one moment. */
function blockStatus(connection: SqliteConnection, name: string): BlockStatus {
  const rows = connection.all(
    `select
      b.game as gameId, b.stake_cents as stakeCents, b.emission, b.block, b.state,
      p.prize_cents as prizeCents, p.tickets, p.sold
    from remaining_prizes p join blocks b using (name)
    where p.name = :name
    order by p.prize_cents desc`,
    { name },
  ) as readonly StatusRow[];
  const { gameId, stakeCents, emission, block, state } = defined(rows[0], 'a prize of a block');
  const prizes = rows.map(({ prizeCents, tickets, sold }) => ({ prizeCents, tickets, sold }));
  const tickets = sumOf(prizes.map((prize) => prize.tickets));
  const sold = sumOf(prizes.map((prize) => prize.sold));
  return { name, gameId, stakeCents, emission, block, state, tickets, sold, prizes };
}
