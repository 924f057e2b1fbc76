-- Sells the next ticket of a game at a stake: one statement, and so one transaction.
--
-- Parameters:
--   :game, :stake_cents  what is sold
--   :reference           what the seller calls this sale, from 1 to 200 characters; unique among all
--                        sales of the database
--   :now                 the time, in UTC, as in 2026-01-31T09:30:00.000Z
--
-- It gives the ticket, or no row where no block of this game and stake on sale has one left. Tickets go
-- by emission, block and number. A seller that does not know what has become of a sale asks again with
-- the same reference: where it has been made, the answer is the same ticket with the time of that sale,
-- whatever the block's state is by now; where not, it is made. So two sales must never share a
-- reference, be it of two games: the second buyer would get the first one's ticket.
--
-- What a connection that sells needs (of these only the first is kept in the file):
--   pragma journal_mode = wal;      -- gen-block load has set it
--   pragma synchronous = full;      -- a sale that was answered outlasts a loss of power
--   pragma foreign_keys = on;
--   pragma busy_timeout = 60000;    -- in ms: more than any load holds the lock
-- Whoever writes holds the one lock of the database. A load holds it while its tickets are entered, counted
-- and committed, and every sale waits for so long: some 3 s for each million tickets on an idle machine with
-- a fast disk, several times that on a busy or a slow one; the verification before it holds up nobody.
-- So load when nobody sells, or measure a load and let busy_timeout be several times as long. A sale that has waited in vain gets SQLITE_BUSY and has not been
-- made: ask again with the same reference.
-- Where more than this statement belongs to a sale, it goes between "begin immediate" and "commit", and
-- the ticket is handed out after the commit only; after a rollback the ticket is the next one again.
update tickets
set sold_at = coalesce(sold_at, :now), sale_reference = :reference
where (block_id, number) = (
  select block_id, number from tickets where sale_reference = :reference
  union all
  select block_id, number from (
    select t.block_id, t.number
    from blocks b indexed by blocks_on_sale
      cross join tickets t indexed by tickets_unsold on t.block_id = b.block_id
    where b.game = :game and b.stake_cents = :stake_cents and b.state = 'on sale'
      and t.sale_reference is null
    order by b.emission, b.block, t.number
    limit 1
  )
  limit 1
)
returning
  (select name from blocks b where b.block_id = tickets.block_id) as name,
  number, prize_cents, combination, grids, sold_at, sale_reference;
