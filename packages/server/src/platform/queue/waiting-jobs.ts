import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** The jobs of one type that are due and that no worker has started. */
export interface WaitingJobs {
  /** Name of the job type. */
  readonly task: string;
  readonly count: number;
  /** Seconds since the first of them was due; 0 without any. */
  readonly oldestSeconds: number;
}

/** More are not counted, so that a long queue does not become slower by being watched. */
const maxCounted = 100_000;

/** The waiting jobs of each type that the queue has ever had. */
export function readWaitingJobs(db: Queryable): Promise<WaitingJobs[]> {
  return db.query<WaitingJobs>(sql`
    with due as materialized (
      select task_id, run_at from graphile_worker._private_jobs
      where is_available and run_at <= now()
      order by priority, run_at
      limit ${maxCounted}
    )
    select task.identifier as task, count(due.task_id)::int as count,
      coalesce(extract(epoch from now() - min(due.run_at)), 0)::float8 as "oldestSeconds"
    from graphile_worker._private_tasks task left join due on due.task_id = task.id
    group by task.identifier
  `);
}
