-- A sale without the reading of what it sold. For pgbench.
\set sale random(1, 1000000000000000)
select * from gen_block.sell('eldorado', 100, :sale::text);
