import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate, readMigrations } from './migrate.ts';

/**
 * Catalogs of PostgreSQL, so that the comparison also has what `schema.sql` does not know how to say. PostgreSQL 15.20 notes
 * in each column when its table was made (`pg_attver`), which no two databases share.
 */
const catalogs = {
  'tables, indexes and sequences': `
    select relname, relkind, relpersistence, relreplident, relrowsecurity, reloptions, relchecks,
      obj_description(oid, 'pg_class') as comment
    from pg_class where relnamespace = 'public'::regnamespace order by relname`,
  columns: `
    select c.relname, row_number() over (partition by c.oid order by a.attnum) as place, a.attname,
      format_type(a.atttypid, a.atttypmod) as type, a.attnotnull, a.attidentity, a.attgenerated, a.attstorage,
      a.attcompression, a.attstattarget, a.attcollation::regcollation::text,
      (select array_agg(option) from unnest(a.attoptions) option where option not like 'pg_attver=%') as attoptions,
      pg_get_expr(d.adbin, d.adrelid) as default_value
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped order by 1, 2`,
  constraints: `
    select conrelid::regclass::text, conname, condeferrable, condeferred, convalidated, pg_get_constraintdef(oid) as text
    from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
  'texts of indexes': `
    select indexrelid::regclass::text, indisvalid, indisclustered, pg_get_indexdef(indexrelid) as text
    from pg_index i join pg_class c on c.oid = indexrelid where c.relnamespace = 'public'::regnamespace order by 1`,
  functions: `
    select pg_get_functiondef(oid) as text, proacl::text from pg_proc
    where pronamespace = 'public'::regnamespace and prokind <> 'a' order by oid::regprocedure::text`,
  // PostgreSQL writes more parentheses for a condition than it needs, and fewer when it has read its own text.
  triggers: `
    select tgenabled, translate(pg_get_triggerdef(t.oid), '()', '') as text
    from pg_trigger t where not tgisinternal order by 2`,
  dependencies: `
    select classid::regclass::text, refclassid::regclass::text, deptype, count(*)::int from pg_depend
    group by 1, 2, 3 order by 1, 2, 3`,
  extensions: 'select extname, extversion from pg_extension order by 1',
};

/** How many rows each table has. */
const rowCounts = `
  select relname, (xpath('/row/count/text()', query_to_xml(format('select count(*) from %I', relname), false, true, '')))[1]::text as count
  from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;

describe('control 100: a new database begins with schema.sql', () => {
  let fresh: TestDatabase;
  let migrated: TestDatabase;

  beforeEach(async () => {
    [fresh, migrated] = await Promise.all([
      createTestDatabase({ isEmpty: true }),
      createTestDatabase({ isEmpty: true }),
    ]);
    await migrate(fresh.connection);
    await fresh.query('drop schema graphile_worker cascade');
    // Given migrations run one by one and bring no queue.
    await migrate(migrated.connection, await readMigrations());
  });
  afterEach(() => Promise.all([fresh.drop(), migrated.drop()]));

  const readBoth = (query: string) => Promise.all([fresh.query(query), migrated.query(query)]);

  test.each(Object.entries(catalogs))('its %s are those that the migrations make', async (_, query) => {
    const [begun, built] = await readBoth(query);
    expect(begun.length).toBeGreaterThan(0);
    expect(begun).toEqual(built);
  });

  test('its rows are those that the migrations insert', async () => {
    const [begun, built] = await readBoth(rowCounts);
    expect(begun).toEqual(built);
    for (const table of ['installation', 'metric_progress', 'schema_release', 'migrations']) {
      const [rows, expected] = await readBoth(`select to_jsonb(t) - 'applied_at' as row from ${table} t order by 1`);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows).toEqual(expected);
    }
  });

  test('it accepts every later migration', async () => {
    const later = { number: 9999, name: '9999-later.sql', text: 'create table later (id integer)' };
    expect(await migrate(fresh.connection, [...(await readMigrations()), later])).toEqual({ applied: [later.name] });
  });
});
