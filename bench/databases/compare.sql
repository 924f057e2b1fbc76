-- What a sale costs in one plain statement that draws a ticket, marks it and lists the sale under its
-- reference: the least that a database can do. It knows one block only, and neither retries that come while
-- the sale is made, nor withdrawals, nor last tickets. For pgbench.
\set sale random(1, 1000000000000000)
with drawn as (
  select number from gen_block.tickets
    where block_id = 1 and sale_reference is null
    order by number limit 1 for update skip locked
), listed as (
  insert into gen_block.sales (reference, block_id, number, sold_at)
    select :sale::text, 1, number, now() from drawn
    on conflict do nothing
    returning number
)
update gen_block.tickets t set sold_at = now(), sale_reference = :sale::text
  from listed
  where t.block_id = 1 and t.number = listed.number
  returning t.number, prize_cents, combination, grids;
