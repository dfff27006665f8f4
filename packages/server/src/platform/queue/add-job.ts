import type { Queryable, Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';

interface JobOptions {
  /** Default 0. */
  readonly delayMs?: number;
  /** Jobs with a lower number run first; default 0. */
  readonly priority?: number;
  /** A lane limits how many jobs with the same flag run at once. */
  readonly flags?: readonly string[] | null;
  /** Jobs with the same queue name never run at the same time. */
  readonly queueName?: string | null;
  /** Replaces a job with this key that has not started. */
  readonly key?: string | null;
}

/** Adds a job to the queue: it runs if and only if the transaction commits, and not before. */
export async function addJob(
  tx: Transaction,
  task: string,
  payload: object,
  { delayMs = 0, priority = 0, flags = null, queueName = null, key = null }: JobOptions = {},
): Promise<void> {
  await tx.query(sql`
    select graphile_worker.add_job(
      ${task}, payload => ${JSON.stringify(payload)}::json, flags => ${flags},
      queue_name => ${queueName}, job_key => ${key}, priority => ${priority}::int,
      run_at => now() + ${delayMs} * interval '1 millisecond'
    )
  `);
}

/** Adds many jobs of one type with the same options. */
export async function addJobs(
  tx: Transaction,
  task: string,
  payloads: readonly object[],
  { priority = 0, flags = null }: Pick<JobOptions, 'priority' | 'flags'> = {},
): Promise<void> {
  await tx.query(sql`
    with job as (
      select ${task}::text as task, payload, ${priority}::int as priority, ${flags}::text[] as flags
      from json_array_elements(${JSON.stringify(payloads)}::json) given (payload)
    )
    ${addJobRows}
  `);
}

/**
 * The end of a statement that also writes the rows of its jobs: it adds the jobs of `job (task, payload, priority, flags)`.
 * The queue inserts them together and announces them once; a call per job takes ten times as long, and the workers poll
 * after each of them.
 */
export const addJobRows = sql`
  select count(added.id)
  from (
    select array_agg((task, payload, null, null, null, null, priority, flags)::graphile_worker.job_spec) as specs
    from job having count(*) > 0
  ) given, graphile_worker.add_jobs(given.specs) added
`;

/** Deletes the jobs of a project that no worker has started, of all kinds: each job names its project. */
export async function deleteProjectJobs(db: Queryable, projectId: string): Promise<void> {
  await db.query(sql`
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker._private_jobs
    where payload ->> 'projectId' = ${projectId} and locked_at is null
    having count(*) > 0
  `);
}
