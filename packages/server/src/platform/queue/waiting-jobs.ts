import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** The jobs of one type that are due and that no worker has started, and those that are not tried again. */
export interface WaitingJobs {
  /** Name of the job type. */
  readonly task: string;
  readonly count: number;
  /** Seconds since the first of them was due; 0 without any. */
  readonly oldestSeconds: number;
  /** Jobs whose last attempt failed, among the oldest of the queue. */
  readonly failed: number;
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
    ), failed as materialized (
      -- Without an index for them: they are older than the jobs that wait, so the oldest jobs are enough.
      select task_id, count(*) as jobs
      from (
        select task_id, locked_at, attempts, max_attempts from graphile_worker._private_jobs order by id limit ${maxCounted}
      ) oldest
      where attempts >= max_attempts and locked_at is null
      group by task_id
    )
    select task.identifier as task, count(due.task_id)::int as count,
      coalesce(extract(epoch from now() - min(due.run_at)), 0)::float8 as "oldestSeconds",
      coalesce(max(failed.jobs), 0)::int as failed
    from graphile_worker._private_tasks task
    left join due on due.task_id = task.id
    left join failed on failed.task_id = task.id
    group by task.identifier
  `);
}
