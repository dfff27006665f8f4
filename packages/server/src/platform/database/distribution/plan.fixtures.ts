import type { TestDatabase } from '@tessera/testing/database';

/**
 * What contradicts the rules of Citus for distributed tables: the distribution column in each unique index and foreign key,
 * no SET NULL in such a key, and no foreign key between distributed and local tables.
 *
 * @param distributed distribution columns by table
 */
export async function findViolations(
  database: TestDatabase,
  distributed: ReadonlyMap<string, string>,
): Promise<string[]> {
  const rows = await database.query(
    `with placed as (
      select c.oid, p.name, p.by, a.attnum, a.attnotnull, a.atttypid from pg_class c
      join unnest($1::text[], $2::text[]) as p (name, by) on c.oid = to_regclass(p.name)
      left join pg_attribute a on a.attrelid = c.oid and a.attname = p.by
    )
    select name || ' has no required text column ' || by as problem from placed
    where attnotnull is not true or atttypid <> 'text'::regtype
    union all
    select i.indexrelid::regclass || ' of ' || p.name || ' is unique without ' || p.by from pg_index i
    join placed p on p.oid = i.indrelid where i.indisunique and not p.attnum = any(i.indkey::int2[])
    union all
    select f.conname || ' of ' || f.conrelid::regclass || ' does not join ' || coalesce(o.by, 'a distributed table')
      || ' and ' || coalesce(t.by, 'a distributed table')
    from pg_constraint f
    left join placed o on o.oid = f.conrelid left join placed t on t.oid = f.confrelid
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace and (o.oid is not null or t.oid is not null)
      and (array_position(f.conkey, o.attnum) = array_position(f.confkey, t.attnum)) is not true
    union all
    select f.conname || ' of ' || p.name || ' sets a column to null' from pg_constraint f
    join placed p on p.oid = f.conrelid where f.contype = 'f' and f.confdeltype in ('n', 'd')
    order by 1`,
    [[...distributed.keys()], [...distributed.values()]],
  );
  return rows.map(({ problem }) => String(problem));
}

/**
 * Functions with the names of Citus that distribute nothing. They refuse what Citus refuses: a table before the tables that
 * it refers to, and triggers on all rows of a statement, which cannot write on a shard.
 */
export const citusRules = `
  create table distributed (relation regclass primary key);
  create function citus_version() returns text language sql as $$ select 'none' $$;
  create function create_distributed_table(relation regclass, by text, colocate_with text) returns void
  language plpgsql as $$
  begin
    if exists (
      select from pg_constraint f where f.conrelid = relation and f.contype = 'f'
        and f.confrelid not in (select d.relation from distributed d) and f.confrelid <> f.conrelid
    ) then
      raise exception '% refers to a table that is not distributed yet', relation;
    end if;
    if exists (select from pg_trigger t where t.tgrelid = relation and not t.tgisinternal and t.tgtype & 1 = 0) then
      raise exception '% has a statement trigger', relation;
    end if;
    insert into distributed values (relation);
  end
  $$;
`;
