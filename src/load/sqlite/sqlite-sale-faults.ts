import type { SqliteConnection } from './sqlite-connection.js';

/** What has been counted of a block's sales. */
interface SaleCounts {
  readonly state: string;
  readonly sold: number;
  readonly unsold: number;
  /** Tickets that have one of the two things that a sale enters, and not the other. */
  readonly half: number;
  /** Tickets whose reference one before them has already. */
  readonly repeated: number;
  /** Tickets that a sale finds to be left: in the index, which must be of one mind with the table. */
  readonly offered: number;
}

/**
 * What does not fit together about the sales of a block, a line each. A sale is entered in its ticket's
 * row and nowhere else: there is no list of sales to hold the tickets against, as PostgreSQL has one. So
 * a sale that was taken back behind the triggers is not found here; only who made it knows of it.
 *
 * @param connection - One whose schema is right: the counts go by its indexes.
 */
export function saleFaults(connection: SqliteConnection, blockId: number): readonly string[] {
  const counts = connection.first(
    `select
      b.state, t.sold, t.unsold, t.half, t.repeated,
      (
        select count(*) from tickets indexed by tickets_unsold
        where block_id = b.block_id and sale_reference is null
      ) as offered
    from blocks b, (
      select
        count(sale_reference) as sold,
        count(*) - count(sale_reference) as unsold,
        coalesce(sum((sale_reference is null) <> (sold_at is null)), 0) as half,
        count(sale_reference) - count(distinct sale_reference) as repeated
      from tickets not indexed
      where block_id = :block_id
    ) t
    where b.block_id = :block_id`,
    { block_id: blockId },
  );
  return faultsOf(counts as SaleCounts);
}

function faultsOf({ state, sold, unsold, half, repeated, offered }: SaleCounts): readonly string[] {
  const left = `${counted(unsold, 'ticket is', 'tickets are')} left`;
  const faults: readonly (readonly [isFault: boolean, line: string])[] = [
    [
      state === 'loaded' && sold > 0,
      `the block was never on sale, and ${counted(sold, 'ticket is', 'tickets are')} sold`,
    ],
    [state === 'on sale' && unsold === 0, 'the block is on sale, and every ticket is sold'],
    [state === 'sold out' && unsold > 0, `the block is sold out, and ${left}`],
    [
      half > 0,
      `${counted(half, 'ticket has', 'tickets have')} a time or a reference of a sale, and not both`,
    ],
    [
      repeated > 0,
      `${counted(repeated, 'sold ticket has', 'sold tickets have')} the reference of another one`,
    ],
    [offered !== unsold, `${left}, and the index that sales go by has ${offered}`],
  ];
  return faults.filter(([isFault]) => isFault).map(([, line]) => line);
}

function counted(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}
