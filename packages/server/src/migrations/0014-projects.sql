-- A project that was deleted is gone for everybody at once; its rows go afterwards, a few at a time.
alter table projects add column deleted_at_millis bigint;

-- Deletes rows of a project, of every table that has some, whoever adds one: first those that refer to others, so that
-- no deletion brings many others with it. Returns how many; none are left when it is 0.
create function delete_project_rows(gone text, at_most integer) returns integer language plpgsql as $$
declare
  next_table regclass;
  deleted integer;
begin
  -- The audit log ends with its project, and with nothing else.
  perform set_config('tessera.ends_audit', 'on', true);
  for next_table in
    with recursive owned as (
      select c.oid from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
      -- partitions, not the tables that consist of them: a place in a table is that of one partition
      where c.relkind = 'r' and c.relnamespace = (select relnamespace from pg_class where oid = 'projects'::regclass)
    ), depths as (
      select oid, 0 as depth from owned
      union
      select f.conrelid, depths.depth + 1 from depths
      -- what is only set to null when the other row goes is no bond between the two
      join pg_constraint f on f.confrelid = depths.oid and f.contype = 'f' and f.conrelid <> f.confrelid
        and f.confdeltype not in ('n', 'd')
      where depths.depth < 20
    )
    select owned.oid from owned join depths using (oid) group by owned.oid order by max(depths.depth) desc, owned.oid
  loop
    execute format(
      'delete from %1$s where project_id = $1 and ctid = any (array(select ctid from %1$s where project_id = $1 limit $2))',
      next_table
    ) using gone, at_most;
    get diagnostics deleted = row_count;
    if deleted > 0 then
      return deleted;
    end if;
  end loop;
  return 0;
end
$$;
