-- The schema of the sales database in PostgreSQL, version 1 (PostgreSQL 13 or later).
-- `gen-block load` runs this file in one transaction where the version is not there yet; psql can, too.

-- roles.sql may have made it for the loaders, who need no right to make one then.
do $$ begin
  if to_regnamespace('gen_block') is null then
    create schema gen_block;
  end if;
end $$;

create table gen_block.schema_versions (
  version      integer primary key,
  applied_at   timestamptz not null default now()
);

insert into gen_block.schema_versions (version) values (1);

-- The blocks. The manifest stands here as it was loaded, byte for byte.
create table gen_block.blocks (
  block_id        integer generated always as identity primary key,
  name            text not null unique,
  game            text not null,
  stake_cents     bigint not null,
  emission        integer not null,
  block           integer not null,
  tickets         integer not null check (tickets > 0),
  state           text not null default 'loaded'
                  check (state in ('loaded', 'on sale', 'sold out', 'withdrawn')),
  -- Every ticket with a lower number is sold. It may lag behind.
  sold_below      integer not null default 1,
  -- Where draws begin: tickets with a lower number are sold, or in the hands of sales that may still be
  -- rolled back, or gaps that such sales have left. It may lag behind.
  draw_from       integer not null default 1,
  csv_sha256      text not null check (csv_sha256 ~ '^[0-9a-f]{64}$'),
  manifest        json not null,
  manifest_sha256 text not null check (manifest_sha256 ~ '^[0-9a-f]{64}$'),
  loaded_at       timestamptz not null default now(),
  unique (game, stake_cents, emission, block)
);

-- Where a sale looks for its block: however many are sold out, it does not see them.
create index blocks_on_sale on gen_block.blocks (game, stake_cents, emission, block)
  where state = 'on sale';

-- What a table of tickets looks like; always empty. Who makes a partition in its likeness has nothing to do
-- with the table that is sold from.
create table gen_block.ticket_form (
  block_id       integer not null,
  number         integer not null,
  prize_cents    bigint not null,
  combination    text not null,
  grids          text not null,
  sold_at        timestamptz,
  sale_reference text,
  constraint sold_with_reference check ((sold_at is null) = (sale_reference is null))
);

-- The tickets, a partition for each block, called tickets_<block_id>.
create table gen_block.tickets (
  like gen_block.ticket_form including constraints,
  primary key (block_id, number)
) partition by list (block_id);

create index tickets_unsold on gen_block.tickets (block_id, number) where sale_reference is null;

-- The sales, over all blocks: one ticket for each reference, one reference for each ticket.
create table gen_block.sales (
  reference   text primary key check (length(reference) between 1 and 200),
  block_id    integer not null,
  number      integer not null,
  sold_at     timestamptz not null,
  -- The transaction that sold it: until its end nobody can see what the ticket has won.
  sold_by     xid8 not null default pg_current_xact_id(),
  unique (block_id, number)
);

-- What holds, whoever writes. None of these triggers fires for a draw.

create function gen_block.refuse() returns trigger
language plpgsql as $$
begin
  raise exception '%', tg_argv[0] using errcode = 'integrity_constraint_violation';
end $$;

-- Guards the table of a block's tickets, when all are in it. Its triggers are its own and not those of the
-- partitioned table, so that they stay when it is detached.
create function gen_block.guard_tickets(p_table regclass) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  execute format($guards$
    create trigger ticket_comes_with_its_block
      before insert on %1$s
      for each row execute function gen_block.refuse('tickets come with their block');
    create trigger ticket_never_changes
      before update of block_id, number, prize_cents, combination, grids on %1$s
      for each row execute function gen_block.refuse('a ticket never changes');
    create trigger sold_stays_sold
      before update of sold_at, sale_reference on %1$s
      for each row when (old.sale_reference is not null)
      execute function gen_block.refuse('a sold ticket stays sold');
    create trigger ticket_is_kept
      before delete on %1$s
      for each row execute function gen_block.refuse('a ticket is never deleted');
    create trigger tickets_are_kept
      before truncate on %1$s
      for each statement execute function gen_block.refuse('a ticket is never deleted')
    $guards$, p_table);
end $$;

create trigger tickets_are_kept
  before truncate on gen_block.tickets
  for each statement execute function gen_block.refuse('a ticket is never deleted');

create trigger sales_are_kept
  before truncate on gen_block.sales
  for each statement execute function gen_block.refuse('a sale is never undone');

create trigger blocks_are_kept
  before truncate on gen_block.blocks
  for each statement execute function gen_block.refuse('a block is never deleted; withdraw it');

create trigger sale_is_kept
  before update or delete on gen_block.sales
  for each row execute function gen_block.refuse('a sale is never undone');

create trigger block_is_kept
  before delete on gen_block.blocks
  for each row execute function gen_block.refuse('a block is never deleted; withdraw it');

create trigger block_never_changes
  before update of block_id, name, game, stake_cents, emission, block, tickets,
                   csv_sha256, manifest, manifest_sha256, loaded_at on gen_block.blocks
  for each row execute function gen_block.refuse('a block never changes');

create trigger state_goes_forward
  before update of state on gen_block.blocks
  for each row when (
    (old.state, new.state) not in (
      ('loaded', 'on sale'), ('on sale', 'sold out'),
      ('loaded', 'withdrawn'), ('on sale', 'withdrawn'), ('sold out', 'withdrawn')))
  execute function gen_block.refuse('a block goes from loaded to on sale to sold out, or is withdrawn');

-- For the sales server ------------------------------------------------------------------------------

-- Takes the lowest unsold ticket of a block from some number on in hand, of those that no other sale has;
-- null where there is none. The plans of this and the next two functions are made for the one block, each
-- time: a plan for any block would lock the partitions of all of them.
create function gen_block.take_ticket(p_block_id integer, p_from integer) returns integer
language plpgsql volatile
set plan_cache_mode = force_custom_plan
as $$
declare
  taken integer;
begin
  select t.number into taken
    from gen_block.tickets t
    where t.block_id = p_block_id and t.number >= p_from and t.sale_reference is null
    order by t.number limit 1
    for update skip locked;
  return taken;
end $$;

create function gen_block.mark_ticket(p_block_id integer, p_number integer, p_reference text)
returns void
language plpgsql volatile
set plan_cache_mode = force_custom_plan
as $$
begin
  update gen_block.tickets t set sold_at = now(), sale_reference = p_reference
    where t.block_id = p_block_id and t.number = p_number;
end $$;

-- The lowest unsold ticket of a block, those of sales that are not committed yet among them; null where all
-- are sold.
create function gen_block.lowest_unsold(p_block_id integer, p_from integer) returns integer
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
begin
  return (select min(t.number) from gen_block.tickets t
            where t.block_id = p_block_id and t.number >= p_from and t.sale_reference is null);
end $$;

-- Draws a ticket of a game and stake for a sale, and marks it as sold, in the transaction of the caller: the
-- lowest unsold one that no other sale has in hand, out of the blocks on sale in their order. Gaps that sales
-- which were rolled back have left far behind are filled now and then, and at the end. The same reference
-- gets the same ticket again, always. No row: there is no ticket left.
--
-- It does not say what the ticket has won: whoever could see that could roll back, and so look for a
-- winner. `gen_block.sold_ticket` says it once the sale has been committed.
create function gen_block.sell(p_game text, p_stake_cents bigint, p_reference text)
returns table (block text, ticket integer)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  candidate record;
  drawn     integer;
  lowest    integer;
  waiting   record;
begin
  if length(p_reference) between 1 and 200 is not true then
    raise exception 'a sale reference has 1 to 200 characters' using errcode = 'invalid_parameter_value';
  end if;
  loop
    select s.block_id, s.number into candidate from gen_block.sales s where s.reference = p_reference;
    if found then
      return query select b.name, candidate.number from gen_block.blocks b
        where b.block_id = candidate.block_id and b.game = p_game and b.stake_cents = p_stake_cents;
      if not found then
        raise exception 'this sale reference has been used for another game or stake'
          using errcode = 'invalid_parameter_value';
      end if;
      return;
    end if;
    waiting := null;
    drawn := null;
    for candidate in
      select b.block_id, b.name, b.sold_below, b.draw_from from gen_block.blocks b
        where b.game = p_game and b.stake_cents = p_stake_cents and b.state = 'on sale'
        order by b.emission, b.block
    loop
      -- One sale of a thousand looks for gaps first: where much has been sold behind one, that takes a while.
      if hashtext(p_reference) % 1024 <> 0 then
        drawn := gen_block.take_ticket(candidate.block_id, candidate.draw_from);
      end if;
      drawn := coalesce(drawn, gen_block.take_ticket(candidate.block_id, candidate.sold_below));
      if drawn is not null then
        -- Asked again here: a withdrawal may have been waited for.
        exit when exists (select from gen_block.blocks b
                            where b.block_id = candidate.block_id and b.state = 'on sale');
        drawn := null;
        continue;
      end if;
      lowest := gen_block.lowest_unsold(candidate.block_id, candidate.sold_below);
      if lowest is not null then
        if waiting is null then
          select candidate.block_id as block_id, lowest as number into waiting;
        end if;
      -- Once a block, whatever sold_below says.
      elsif gen_block.lowest_unsold(candidate.block_id, 1) is null then
        update gen_block.blocks b set state = 'sold out'
          where b.block_id in (select k.block_id from gen_block.blocks k
                                 where k.block_id = candidate.block_id and k.state = 'on sale'
                                 for no key update skip locked);
      else
        raise exception 'block %: sold_below is wrong; gen-block verify --from says so', candidate.name
          using errcode = 'data_corrupted';
      end if;
    end loop;
    if drawn is not null then
      -- Waits for another sale of the same reference. Where that ends well, the ticket in hand goes back.
      insert into gen_block.sales (reference, block_id, number, sold_at)
        values (p_reference, candidate.block_id, drawn, now())
        on conflict (reference) do nothing;
      continue when not found;
      perform gen_block.mark_ticket(candidate.block_id, drawn, p_reference);
      if drawn % 256 = 0 then
        -- Sales that are not committed yet still count as unsold here.
        lowest := gen_block.lowest_unsold(candidate.block_id, candidate.sold_below);
        update gen_block.blocks b
          set sold_below = coalesce(lowest, b.sold_below), draw_from = greatest(b.draw_from, drawn + 1)
          where b.block_id in (select k.block_id from gen_block.blocks k
                                 where k.block_id = candidate.block_id
                                 for no key update skip locked);
      end if;
      block := candidate.name;
      ticket := drawn;
      return next;
      return;
    end if;
    if waiting is null then
      return;
    end if;
    -- All that is left is in the hands of other sales: whether it is sold is known at their end.
    perform from gen_block.tickets t
      where t.block_id = waiting.block_id and t.number = waiting.number
      for update;
  end loop;
end $$;

-- The ticket of a sale that has been committed; no row before that.
create function gen_block.sold_ticket(p_reference text)
returns table (block text, game text, stake_cents bigint, ticket integer, prize_cents bigint,
               combination text, grids text, sold_at timestamptz)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  sale record;
begin
  select b.block_id, b.name, b.game, b.stake_cents, s.number into sale
    from gen_block.sales s join gen_block.blocks b using (block_id)
    where s.reference = p_reference
      and s.sold_by is distinct from pg_current_xact_id_if_assigned();
  if not found then
    return;
  end if;
  -- By the partition's own name: tickets stay sold when their block has been withdrawn.
  return query execute format(
    'select $1, $2, $3, t.number, t.prize_cents, t.combination, t.grids, t.sold_at
       from gen_block.%I t where t.block_id = $4 and t.number = $5', 'tickets_' || sale.block_id)
    using sale.name, sale.game, sale.stake_cents, sale.block_id, sale.number;
end $$;

-- For the operator ----------------------------------------------------------------------------------

create function gen_block.put_on_sale(p_name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from gen_block.blocks where name = p_name) then
    raise exception 'there is no block %', p_name using errcode = 'no_data_found';
  end if;
  update gen_block.blocks set state = 'on sale' where name = p_name and state <> 'on sale';
end $$;

-- Takes a block out of sale for good. It waits for the sales of this block that are in hand; those of other
-- blocks go on. Its tickets, sold and unsold, stay.
create function gen_block.withdraw(p_name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  id integer;
begin
  update gen_block.blocks set state = 'withdrawn' where name = p_name returning block_id into id;
  if not found then
    raise exception 'there is no block %', p_name using errcode = 'no_data_found';
  end if;
  execute format('lock table gen_block.%I in exclusive mode', 'tickets_' || id);
end $$;

-- Detaches the table of a withdrawn block, which takes no longer for a large one; it can be moved or dumped
-- by itself then. For a moment no sale goes on, so this gives up where it cannot have the lock at once:
-- call it again.
create function gen_block.detach(p_name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  id integer;
begin
  select block_id into id from gen_block.blocks where name = p_name and state = 'withdrawn';
  if not found then
    raise exception 'there is no withdrawn block %', p_name using errcode = 'no_data_found';
  end if;
  if exists (select from pg_inherits where inhrelid = ('gen_block.tickets_' || id)::regclass) then
    execute format('alter table gen_block.tickets detach partition gen_block.%I', 'tickets_' || id);
  end if;
end $$;

-- For status and audit ------------------------------------------------------------------------------

-- How many tickets of each prize there are and how many are sold; never where they are.
create function gen_block.block_status()
returns table (name text, game text, stake_cents bigint, emission integer, block integer, state text,
               prize_cents bigint, tickets bigint, sold bigint)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  b record;
begin
  for b in select * from gen_block.blocks k order by k.game, k.stake_cents, k.emission, k.block loop
    return query execute format(
      'select $1, $2, $3, $4, $5, $6, t.prize_cents, count(*), count(t.sale_reference)
         from gen_block.%I t group by t.prize_cents order by t.prize_cents desc', 'tickets_' || b.block_id)
      using b.name, b.game, b.stake_cents, b.emission, b.block, b.state;
  end loop;
end $$;

-- Holds what the tickets of a block amount to against its manifest, and that against blocks.tickets, which
-- is what the game's definition says: a row for each difference. It says how many, and never where.
create function gen_block.count_differences(p_block_id integer)
returns table (what text, expected text, found text)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute format($query$
    with block as (
      select tickets, manifest from gen_block.blocks where block_id = $1
    ), tier as (
      select (e ->> 'prize_cents')::bigint as prize_cents, (e ->> 'count')::bigint as tickets
        from block, json_array_elements(manifest -> 'tiers') e
    ), expected_prize as (
      select prize_cents, tickets from tier
      union all
      select 0, tickets - (select coalesce(sum(tickets), 0) from tier) from block
    ), expected_outcome as (
      -- An outcome stands there once for each number of EXTRA stages, or of chosen symbols.
      select (e ->> 'prize_cents')::bigint as prize_cents, e ->> 'combination' as combination,
             sum((e ->> 'count')::bigint) as tickets
        from block, json_array_elements(manifest -> 'outcomes') e
        group by 1, 2
    ), found_outcome as materialized (
      -- The only pass over the tickets.
      select prize_cents, combination, count(*) as tickets,
             min(number) as lowest, max(number) as highest
        from gen_block.%I group by prize_cents, combination
    ), found_prize as (
      select prize_cents, sum(tickets) as tickets from found_outcome group by 1
    ), found as (
      select coalesce(sum(tickets), 0) as tickets, min(lowest) as lowest, max(highest) as highest,
             coalesce(sum(prize_cents * tickets), 0) as prizes
        from found_outcome
    ), comparison (what, expected, found) as (
      select 'tickets in the manifest', tickets::numeric, (manifest ->> 'tickets')::numeric from block
      union all
      select 'tickets', block.tickets, found.tickets from block, found
      union all
      -- As the numbers are all different, these and their count leave no hole.
      select 'as the first ticket''s number', 1, lowest from found
      union all
      select 'as the last ticket''s number', block.tickets, highest from block, found
      union all
      select 'cents of prizes', (select sum(prize_cents * tickets) from expected_prize), prizes from found
      union all
      select format('tickets with a prize of %%s cents', prize_cents),
             coalesce(e.tickets, 0), coalesce(f.tickets, 0)
        from expected_prize e full join found_prize f using (prize_cents)
      union all
      select format('tickets with the combination "%%s" and a prize of %%s cents', combination, prize_cents),
             coalesce(e.tickets, 0), coalesce(f.tickets, 0)
        from expected_outcome e full join found_outcome f using (prize_cents, combination)
    )
    select c.what, c.expected::text, c.found::text from comparison c
      where c.expected is distinct from c.found
    $query$, 'tickets_' || p_block_id) using p_block_id;
end $$;

-- Rights --------------------------------------------------------------------------------------------

-- Lets auditors read the table of a block's tickets, where there are auditors.
create function gen_block.show_auditors(p_table regclass) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from pg_roles where rolname = 'gen_block_auditor') then
    execute format('grant select on %s to gen_block_auditor', p_table);
  end if;
end $$;

-- Gives the roles of roles.sql, where they are there, what they need and no more. Sellers reach no table
-- at all: they call two functions. Auditors read everything and write nothing.
create function gen_block.grant_roles() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  tickets regclass;
begin
  if exists (select from pg_roles where rolname = 'gen_block_seller') then
    grant usage on schema gen_block to gen_block_seller;
    grant execute on function gen_block.sell(text, bigint, text), gen_block.sold_ticket(text)
      to gen_block_seller;
  end if;
  if exists (select from pg_roles where rolname = 'gen_block_auditor') then
    grant usage on schema gen_block to gen_block_auditor;
    grant select on gen_block.schema_versions, gen_block.blocks, gen_block.sales to gen_block_auditor;
    grant execute on function gen_block.block_status() to gen_block_auditor;
    perform gen_block.show_auditors('gen_block.tickets');
    for tickets in
      select to_regclass('gen_block.tickets_' || b.block_id) from gen_block.blocks b
    loop
      perform gen_block.show_auditors(tickets);
    end loop;
  end if;
end $$;

revoke all on schema gen_block from public;
select gen_block.grant_roles();
