-- The database that tickets are sold from, version 1.
--
-- gen-block load makes it. By hand, into an empty file:
--   sqlite3 sales.db 'pragma journal_mode = wal' '.read schemas/sqlite/1-tables.sql'
--
-- One connection writes at a time, readers go on meanwhile: a load makes sales wait for as long as it
-- enters and counts the tickets of its block, whatever is sold. How long, and what to do: sell.sql.
--
-- The triggers hold for every connection, whoever wrote the seller. What they abort is a fault of the
-- caller, so its transaction does not go through.

-- "GBlk": what tells this database from those of other programs.
pragma application_id = 1195535467;

create table blocks (
  block_id integer primary key,
  name text not null unique,
  game text not null,
  stake_cents integer not null check (stake_cents > 0),
  emission integer not null check (emission > 0),
  block integer not null check (block > 0),
  tickets integer not null check (tickets > 0),
  state text not null default 'loaded'
    check (state in ('loaded', 'on sale', 'sold out', 'withdrawn')),
  -- SHA-256 of tickets.csv, in lower-case hex; that of the block, whichever of its files was loaded.
  csv_sha256 text not null check (length(csv_sha256) = 64),
  -- manifest.json, byte for byte.
  manifest text not null check (json_valid(manifest)),
  manifest_sha256 text not null check (length(manifest_sha256) = 64),
  -- UTC, as in 2026-01-31T09:30:00.000Z.
  loaded_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  unique (game, stake_cents, emission, block)
) strict;

-- What a sale looks for its block in: however many blocks are sold out, it does not see them.
create unique index blocks_on_sale on blocks (game, stake_cents, emission, block)
  where state = 'on sale';

create table tickets (
  block_id integer not null references blocks,
  -- From 1: the place in the secret order of the block, which is the order of sale.
  number integer not null check (number > 0),
  prize_cents integer not null check (prize_cents >= 0),
  combination text not null,
  -- As in tickets.csv: rows with / between them, grids with | between them.
  grids text not null,
  -- UTC, as in 2026-01-31T09:30:00.000Z.
  sold_at text,
  -- What the seller calls the sale; one ticket for each.
  sale_reference text check (length(sale_reference) between 1 and 200),
  primary key (block_id, number),
  check ((sold_at is null) = (sale_reference is null))
) strict, without rowid;

create index tickets_unsold on tickets (block_id, number) where sale_reference is null;

create unique index tickets_by_reference on tickets (sale_reference)
  where sale_reference is not null;

-- Blocks: what was loaded stays, and the state goes one way.

create trigger blocks_start_loaded before insert on blocks
when new.state <> 'loaded'
begin
  select raise(abort, 'a block is loaded before it is put on sale');
end;

-- "insert or replace" would take the old row away without asking the trigger of deletions.
create trigger blocks_are_not_replaced before insert on blocks
when exists (
  select 1 from blocks
  where block_id = new.block_id
    or name = new.name
    or (game, stake_cents, emission, block)
      = (new.game, new.stake_cents, new.emission, new.block)
)
begin
  select raise(abort, 'the block is there already');
end;

create trigger blocks_never_change before update of
  block_id, name, game, stake_cents, emission, block, tickets, csv_sha256, manifest,
  manifest_sha256, loaded_at
on blocks
begin
  select raise(abort, 'a block never changes');
end;

create trigger blocks_go_one_way before update of state on blocks
when not (
  new.state = old.state
  or new.state = 'withdrawn'
  or (old.state = 'loaded' and new.state = 'on sale')
  or (
    old.state = 'on sale' and new.state = 'sold out'
    and not exists (
      select 1 from tickets indexed by tickets_unsold
      where block_id = old.block_id and sale_reference is null
    )
  )
)
begin
  select raise(abort, 'a block goes from loaded to on sale, and is sold out with its last ticket');
end;

create trigger blocks_stay before delete on blocks
begin
  select raise(abort, 'a block is not deleted: withdraw it');
end;

-- Tickets: what was loaded stays, and what was sold stays sold.

create trigger tickets_come_with_their_block before insert on tickets
when (select state from blocks where block_id = new.block_id) <> 'loaded'
begin
  select raise(abort, 'a block on sale gets no tickets');
end;

create trigger tickets_never_change before update of
  block_id, number, prize_cents, combination, grids
on tickets
begin
  select raise(abort, 'a ticket never changes');
end;

create trigger tickets_stay_sold before update of sold_at, sale_reference on tickets
when old.sale_reference is not null
  and (new.sale_reference is not old.sale_reference or new.sold_at is not old.sold_at)
begin
  select raise(abort, 'a sold ticket stays sold');
end;

create trigger tickets_are_on_sale before update of sold_at, sale_reference on tickets
when old.sale_reference is null and new.sale_reference is not null
  and (select state from blocks where block_id = old.block_id) <> 'on sale'
begin
  select raise(abort, 'the block is not on sale');
end;

create trigger tickets_stay before delete on tickets
begin
  select raise(abort, 'a ticket is not deleted');
end;

create trigger tickets_end after update of sale_reference on tickets
when old.sale_reference is null and new.sale_reference is not null
  and not exists (
    select 1 from tickets indexed by tickets_unsold
    where block_id = new.block_id and sale_reference is null
  )
begin
  update blocks set state = 'sold out' where block_id = new.block_id;
end;

-- The last step: the version of this schema.
pragma user_version = 1;
