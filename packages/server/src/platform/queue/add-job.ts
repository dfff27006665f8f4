import type { Queryable, Transaction } from '../database/database.ts';
import { type Statement, sql } from '../database/sql.ts';

interface JobOptions {
  readonly delayMs?: number;
  readonly flags?: readonly string[] | null;
  readonly queueName?: string | null;
  readonly key?: string | null;
}

/**
 * Adds a job to the queue: it runs if and only if the transaction commits, and not before.
 *
 * @param flags a lane limits how many jobs with the same flag run at once
 * @param queueName jobs with the same name never run at the same time
 * @param key replaces a job with this key that has not started
 */
export async function addJob(
  tx: Transaction,
  task: string,
  payload: object,
  { delayMs = 0, flags = null, queueName = null, key = null }: JobOptions = {},
): Promise<void> {
  await tx.query(sql`
    select graphile_worker.add_job(
      ${task}, payload => ${JSON.stringify(payload)}::json, flags => ${flags},
      queue_name => ${queueName}, job_key => ${key},
      run_at => now() + ${delayMs} * interval '1 millisecond'
    )
  `);
}

/**
 * The same for many jobs of one type.
 *
 * @param priority jobs with a lower number run first; default 0
 * @param flags for all of them
 */
export async function addJobs(
  tx: Transaction,
  task: string,
  payloads: readonly object[],
  { priority = 0, flags = null }: { priority?: number; flags?: readonly string[] | null } = {},
): Promise<void> {
  await tx.query(sql`
    select count(graphile_worker.add_job(${task}, payload => job.payload, priority => ${priority}, flags => ${flags}))
    from json_array_elements(${JSON.stringify(payloads)}::json) job (payload)
  `);
}

/**
 * The call that adds a job, as an expression of a statement that also writes the rows of the job.
 *
 * @param payload an expression of type `json`
 * @param flags an expression of type `text[]`; a lane limits how many jobs with the same flag run at once
 */
export function addJobExpression(task: string, payload: Statement, flags?: Statement): Statement {
  return sql`graphile_worker.add_job(${task}, payload => ${payload}${flags === undefined ? sql`` : sql`, flags => ${flags}`})`;
}

/** Deletes the jobs of a project that no worker has started, of all kinds: each job names its project. */
export async function deleteProjectJobs(db: Queryable, projectId: string): Promise<void> {
  await db.query(sql`
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker._private_jobs
    where payload ->> 'projectId' = ${projectId} and locked_at is null
    having count(*) > 0
  `);
}
