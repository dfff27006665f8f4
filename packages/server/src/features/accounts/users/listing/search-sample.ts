import type { Clock } from '../../../../platform/clock.ts';
import type { Queryable } from '../../../../platform/database/database.ts';
import { createMemo } from '../../../../platform/database/memo.ts';
import { sql } from '../../../../platform/database/sql.ts';
import { groupByTrigram, type SearchSample } from './search-lookup.ts';

const maxAgeMs = 10 * 60_000;

/** Reads a sample of the search column, and keeps it for some minutes: it only decides how users are found. */
export function createSearchSample(deps: { db: { reads: Queryable }; clock: Clock }): () => Promise<SearchSample> {
  const memo = createMemo({
    load: async () => {
      const { userCount, texts } = await selectSample(deps.db.reads);
      return { userCount, texts, byTrigram: groupByTrigram(texts), readAtMillis: deps.clock.now() };
    },
    maxEntries: 1,
    isReceiving: () => true,
  });
  return async () => {
    const sample = await memo.get('users');
    return deps.clock.now() - sample.readAtMillis < maxAgeMs ? sample : memo.reload('users');
  };
}

/** The planner's own sample: 1,000 texts of all projects. None before the first `analyze`. */
async function selectSample(db: Queryable): Promise<{ userCount: number; texts: string[] }> {
  const [row] = await db.query<{ userCount: number; texts: string[] }>(sql`
    select c.reltuples::bigint as "userCount", coalesce(s.histogram_bounds::text::text[], '{}') as texts
    from pg_class c
    left join pg_stats s on s.schemaname = current_schema() and s.tablename = 'users' and s.attname = 'search'
    where c.oid = 'users'::regclass
  `);
  return row ?? { userCount: 0, texts: [] };
}
