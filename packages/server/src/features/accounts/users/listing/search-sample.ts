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
      const { userCount, texts, signUpTimes } = await selectSample(deps.db.reads);
      return { userCount, texts, byTrigram: groupByTrigram(texts), signUpTimes, readAtMillis: deps.clock.now() };
    },
    maxEntries: 1,
    isReceiving: () => true,
  });
  return async () => {
    const sample = await memo.get('users');
    return deps.clock.now() - sample.readAtMillis < maxAgeMs ? sample : memo.reload('users');
  };
}

interface Statistics {
  readonly userCount: number;
  readonly texts: readonly string[];
  readonly signUpTimes: readonly number[];
}

/** The planner's own sample: 1,000 texts and 100 times of sign-up of all projects. None before the first `analyze`. */
async function selectSample(db: Queryable): Promise<Statistics> {
  const [row] = await db.query<Statistics>(sql`
    select c.reltuples::bigint as "userCount",
      coalesce(${boundsOf('search')}::text[], '{}') as texts,
      coalesce(${boundsOf('signed_up_at_millis')}::float8[], '{}') as "signUpTimes"
    from pg_class c where c.oid = 'users'::regclass
  `);
  return row ?? { userCount: 0, texts: [], signUpTimes: [] };
}

function boundsOf(column: string) {
  return sql`(
    select s.histogram_bounds::text from pg_stats s
    where s.schemaname = current_schema() and s.tablename = 'users' and s.attname = ${column}
  )`;
}
