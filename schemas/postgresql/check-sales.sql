-- What does not fit together about the sales of a block, or about what guards them: a line for each fault. It
-- says how many, and never where. Auditors may ask; `gen-block verify --from` does, by this text and not by a
-- function of the database, which whoever owns that could exchange.
--
-- $1 is the block's block_id; gen_block.tickets_of_block stands for the table of its tickets.
with b as (
  select * from gen_block.blocks where block_id = $1
), sold as materialized (
  select number, sale_reference, sold_at from gen_block.tickets_of_block where sale_reference is not null
), listed as (
  select number, reference, sold_at from gen_block.sales where block_id = $1
), counts as (
  select (select count(*) from sold) as sold,
         (select count(*) from sold s full join listed l using (number)
            where s.sale_reference is distinct from l.reference or s.sold_at is distinct from l.sold_at)
           as differing,
         (select count(*) from gen_block.tickets_of_block t, b
            where t.sale_reference is null and t.number < b.sold_below) as passed_over,
         (select count(*) from gen_block.sales s
            where not exists (select from gen_block.blocks k where k.block_id = s.block_id)) as orphans
), guards (relation, guard) as (
  select 'gen_block.tickets_of_block'::regclass, unnest(array[
    'ticket_comes_with_its_block', 'ticket_never_changes', 'sold_stays_sold', 'ticket_is_kept',
    'tickets_are_kept'])
  union all
  select 'gen_block.sales'::regclass, unnest(array['sale_is_kept', 'sales_are_kept'])
  union all
  select 'gen_block.blocks'::regclass, unnest(array[
    'block_is_kept', 'blocks_are_kept', 'block_never_changes', 'state_goes_forward'])
), keys (relation, columns, kind) as (
  values ('gen_block.tickets_of_block'::regclass, 'block_id,number', 'p'),
         ('gen_block.sales'::regclass, 'reference', 'p'),
         ('gen_block.sales'::regclass, 'block_id,number', 'u'),
         ('gen_block.blocks'::regclass, 'name', 'u'),
         ('gen_block.blocks'::regclass, 'game,stake_cents,emission,block', 'u')
)
select format('tickets whose sale is another than the list of sales says: %s', differing) as fault
  from counts where differing > 0
union all
select format('tickets sold, though the block has never been on sale: %s', counts.sold)
  from counts, b where b.state = 'loaded' and counts.sold > 0
union all
select format('tickets left, though the block is sold out: %s', b.tickets - counts.sold)
  from counts, b where b.state = 'sold out' and b.tickets > counts.sold
union all
select format('unsold tickets below sold_below: %s', passed_over) from counts where passed_over > 0
union all
select format('sales of a block that is not there: %s', orphans) from counts where orphans > 0
union all
select format('the trigger %s of %s is missing or disabled', g.guard, g.relation)
  from guards g
  where not exists (select from pg_catalog.pg_trigger t
                      where t.tgrelid = g.relation and t.tgname = g.guard and t.tgenabled in ('O', 'A')
                        and t.tgfoid = 'gen_block.refuse'::regproc)
union all
select format('the key (%s) of %s is missing', k.columns, k.relation)
  from keys k
  where not exists (
    select from pg_catalog.pg_constraint c
      join pg_catalog.pg_index i on i.indexrelid = c.conindid
      where c.conrelid = k.relation and c.contype::text = k.kind and i.indisvalid
        and (select string_agg(a.attname, ',' order by u.place)
               from unnest(c.conkey) with ordinality u (attnum, place)
               join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = u.attnum) = k.columns)
