-- What of a block's rows does not agree with its manifest: one row for each difference, with what was
-- expected and what was found; no row where all is right. It says how many, and never where.
--
-- Parameter: :block_id. blocks.tickets is what the game's definition says; the manifest is held against
-- it as well.
with
  block as (select tickets, manifest from blocks where block_id = :block_id),
  tier as (
    select value ->> 'prize_cents' as prize_cents, value ->> 'count' as tickets
    from block, json_each(manifest, '$.tiers') where type = 'object'
  ),
  expected_prize as (
    select prize_cents, tickets from tier
    union all
    select 0, tickets - (select coalesce(sum(tickets), 0) from tier) from block
  ),
  expected_outcome as (
    -- An outcome stands there once for each number of extra stages, or of chosen symbols.
    select
      value ->> 'prize_cents' as prize_cents,
      value ->> 'combination' as combination,
      sum(value ->> 'count') as tickets
    from block, json_each(manifest, '$.outcomes') where type = 'object'
    group by 1, 2
  ),
  -- The only pass over the tickets.
  found_outcome as materialized (
    select
      prize_cents, combination, count(*) as tickets, min(number) as first, max(number) as last
    from tickets
    where block_id = :block_id
    group by prize_cents, combination
  ),
  found_prize as (
    select prize_cents, sum(tickets) as tickets from found_outcome group by prize_cents
  ),
  found as (
    select
      coalesce(sum(tickets), 0) as tickets,
      min(first) as first,
      max(last) as last,
      coalesce(sum(prize_cents * tickets), 0) as prize_sum
    from found_outcome
  ),
  comparison (what, expected, found) as (
    select 'tickets in the manifest', tickets, manifest ->> '$.tickets' from block
    union all
    select 'tickets', block.tickets, found.tickets from block, found
    union all
    -- As the numbers are all different, these and their count leave no hole.
    select 'as the first ticket''s number', 1, first from found
    union all
    select 'as the last ticket''s number', block.tickets, last from block, found
    union all
    select 'cents of prizes',
      (select sum(prize_cents * tickets) from expected_prize),
      (select prize_sum from found)
    union all
    select format('tickets with a prize of %d cents', coalesce(e.prize_cents, f.prize_cents)),
      coalesce(e.tickets, 0), coalesce(f.tickets, 0)
    from expected_prize e full join found_prize f on e.prize_cents = f.prize_cents
    union all
    select
      format(
        'tickets with the combination "%s" and a prize of %d cents',
        coalesce(e.combination, f.combination), coalesce(e.prize_cents, f.prize_cents)
      ),
      coalesce(e.tickets, 0), coalesce(f.tickets, 0)
    from expected_outcome e full join found_outcome f
      on e.prize_cents = f.prize_cents and e.combination = f.combination
  )
select what, expected, found from comparison where expected is not found;
