-- Least privilege for the sales database in PostgreSQL. An administrator runs this file in the database
-- of the sales, before or after the first load, and again whenever it changes:
--
--   psql -v ON_ERROR_STOP=1 -d sales -f schemas/postgresql/roles.sql
--
-- Then each user gets one of the roles: grant gen_block_seller to sales_server;
--
--   gen_block_loader   loads blocks, puts them on sale, withdraws them; owns the schema
--   gen_block_seller   sells: may call gen_block.sell and gen_block.sold_ticket, and read no table
--   gen_block_auditor  reads everything, tickets not yet sold as well, and writes nothing
begin;

do $$
declare
  missing text;
  object  record;
begin
  foreach missing in array array['gen_block_loader', 'gen_block_seller', 'gen_block_auditor'] loop
    if not exists (select from pg_roles where rolname = missing) then
      execute format('create role %I nologin', missing);
    end if;
  end loop;
  -- Who is no superuser must be one of the loaders to give them something. PostgreSQL 16 grants that by itself.
  if not pg_has_role('gen_block_loader', 'member') then
    execute format('grant gen_block_loader to %I', current_user);
  end if;
  if to_regnamespace('gen_block') is null then
    create schema gen_block authorization gen_block_loader;
    revoke all on schema gen_block from public;
    return;
  end if;
  -- What another user has loaded belongs to the loaders from now on.
  alter schema gen_block owner to gen_block_loader;
  for object in
    select c.oid::regclass as name from pg_class c
      where c.relnamespace = 'gen_block'::regnamespace and c.relkind in ('r', 'p')
  loop
    execute format('alter table %s owner to gen_block_loader', object.name);
  end loop;
  for object in
    select p.oid::regprocedure as name from pg_proc p where p.pronamespace = 'gen_block'::regnamespace
  loop
    execute format('alter function %s owner to gen_block_loader', object.name);
  end loop;
  perform gen_block.grant_roles();
end $$;

commit;
