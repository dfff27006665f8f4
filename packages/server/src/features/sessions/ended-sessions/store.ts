import { onlyRow, type Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** Ended sessions of a project, and the cursor of this read. */
export interface EndedSessions {
  readonly sessionIds: readonly string[];
  /** The snapshot of the read, e.g. `740:745:741,743`. */
  readonly cursor: string;
  /** Whether these are all, because the database does not know the cursor that was asked for. */
  readonly isComplete: boolean;
}

/**
 * The sessions that ended within `keepMs` and that the snapshot `after` did not see. A transaction that commits late
 * has an older id and is found all the same. A cursor from the future is of another database cluster.
 */
export async function selectEndedSessions(
  db: Queryable,
  projectId: string,
  { after, keepMs }: { after: string | undefined; keepMs: number },
): Promise<EndedSessions> {
  const rows = await db.query<EndedSessions>(sql`
    with asked as (
      select case
        when pg_snapshot_xmax(${after ?? null}::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot())
        then ${after ?? null}::pg_snapshot
      end as seen
    )
    select pg_current_snapshot()::text as cursor, asked.seen is null as "isComplete", coalesce((
      select array_agg(e.session_id order by e.session_id) from ended_sessions e
      where e.project_id = ${projectId} and e.ended_at > now() - make_interval(secs => ${keepMs / 1000})
        and e.transaction_id >= coalesce(pg_snapshot_xmin(asked.seen), '0'::xid8)
        and (asked.seen is null or not pg_visible_in_snapshot(e.transaction_id, asked.seen))
    ), '{}') as "sessionIds"
    from asked
  `);
  return onlyRow(rows);
}

/** Finds the projects with an ended session after their cursor, and those with an unknown cursor. */
export async function selectProjectsWithNews(
  db: Queryable,
  asked: readonly { readonly projectId: string; readonly cursor: string }[],
): Promise<string[]> {
  const rows = await db.query<{ projectId: string }>(sql`
    select asked.project_id as "projectId"
    from unnest(
      ${asked.map(({ projectId }) => projectId)}::text[], ${asked.map(({ cursor }) => cursor)}::pg_snapshot[]
    ) as asked (project_id, seen)
    where pg_snapshot_xmax(asked.seen) > pg_snapshot_xmax(pg_current_snapshot())
      or exists (
        select from ended_sessions e
        where e.project_id = asked.project_id and e.transaction_id >= pg_snapshot_xmin(asked.seen)
          and not pg_visible_in_snapshot(e.transaction_id, asked.seen)
      )
  `);
  return rows.map(({ projectId }) => projectId);
}
