import type pg from 'pg';
import { projectFlagPrefix } from '../work.ts';
import type { LaneRoom } from './lane-flags.ts';

/** A job that this process has locked. */
export interface ClaimedJob {
  readonly id: string;
  /** Name of the job type. */
  readonly name: string;
  readonly payload: unknown;
  readonly flags: readonly string[];
  readonly priority: number;
  /** Attempts, this one included. */
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly createdAt: Date;
  readonly lockedAt: Date;
}

export interface Claim extends LaneRoom {
  /** Name of the worker that locks the jobs. */
  readonly worker: string;
  /** Names of the job types. */
  readonly names: readonly string[];
  /** Jobs of one flag that may be claimed, for flags without an entry in `room`. */
  readonly perFlag: number;
}

/** The flags are keys of an object, among which PostgreSQL finds one by a binary search, for each of thousands of jobs. */
const isQuick = `(flags is null
    or exists (select from jsonb_object_keys(flags) flag where $8::jsonb ? flag)
    or not exists (select from jsonb_object_keys(flags) flag where not starts_with(flag, '${projectFlagPrefix}')))`;

const claimStatement = `
  with due as (
    select id, flags, priority, run_at from graphile_worker._private_jobs
    where is_available and run_at <= now() and job_queue_id is null
      and task_id = any (array(select id from graphile_worker._private_tasks where identifier = any ($2::text[])))
      and (flags ?| $4::text[]) is not true
      and ($9::int > 0 or ${isQuick})
    order by priority, run_at
    limit $3
    for update skip locked
  ), flagged as (
    select id, flag, row_number() over (partition by flag order by priority, run_at, id) as place
    from due cross join jsonb_object_keys(flags) flag
  ), crowded as (
    select id from flagged left join unnest($5::text[], $6::int[]) room (flag, free) using (flag)
    where place > coalesce(room.free, $7)
  ), slow as (
    select id, row_number() over (order by priority, run_at, id) as place from due where not ${isQuick}
  ), claimed as (
    select id from due
    where id not in (select id from crowded) and id not in (select id from slow where place > $9)
  )
  update graphile_worker._private_jobs job set attempts = job.attempts + 1, locked_by = $1, locked_at = now()
  from claimed where job.id = claimed.id
  returning job.id, (select identifier from graphile_worker._private_tasks where id = job.task_id) as name,
    job.payload, array(select jsonb_object_keys(job.flags)) as flags, job.priority, job.attempts, job.max_attempts as "maxAttempts", job.created_at as "createdAt",
    job.locked_at as "lockedAt"`;

/**
 * Locks the jobs that are due, in the order of priority and time, and no more than there is room for: of one flag, and of
 * all slow and unknown ones.
 */
export async function claimJobs(pool: pg.Pool, claim: Claim): Promise<ClaimedJob[]> {
  const limited = [...claim.room].filter(([, free]) => free > 0);
  const full = [...claim.room].filter(([, free]) => free <= 0).map(([flag]) => flag);
  const { rows } = await pool.query<ClaimedJob>({
    name: 'tessera claim jobs',
    text: claimStatement,
    values: [
      claim.worker,
      claim.names,
      claim.limit,
      full,
      limited.map(([flag]) => flag),
      limited.map(([, free]) => free),
      claim.perFlag,
      Object.fromEntries(claim.quickFlags.map(flag => [flag, 1])),
      claim.slowRoom,
    ],
  });
  return rows.sort((one, other) => one.priority - other.priority || Number(one.id) - Number(other.id));
}

/** Releases the jobs that a claim without an answer has locked: those of the worker that it does not know. */
export async function releaseUnknownJobs(pool: pg.Pool, worker: string, knownIds: readonly string[]): Promise<void> {
  await pool.query({
    name: 'tessera release unknown jobs',
    text: `
      update graphile_worker._private_jobs set locked_by = null, locked_at = null
      where locked_by = $1 and id <> all ($2::bigint[])`,
    values: [worker, knownIds],
  });
}

/** Deletes completed jobs. */
export async function completeJobs(pool: pg.Pool, worker: string, ids: readonly string[]): Promise<void> {
  await pool.query({
    name: 'tessera complete jobs',
    text: 'delete from graphile_worker._private_jobs where id = any ($2::bigint[]) and locked_by = $1',
    values: [worker, ids],
  });
}

export interface FailedJob {
  readonly id: string;
  readonly message: string;
  /** The number of attempts that the queue counts. */
  readonly attempts: number;
}

/** Unlocks failed jobs. They run again after the pause of the queue: e to the power of the number of attempts, in seconds. */
export async function failJobs(pool: pg.Pool, worker: string, jobs: readonly FailedJob[]): Promise<void> {
  await pool.query({
    name: 'tessera fail jobs',
    text: `
      update graphile_worker._private_jobs job
      set last_error = failed.message, attempts = failed.attempts, locked_by = null, locked_at = null,
        run_at = greatest(now(), run_at) + exp(least(failed.attempts, 10)) * interval '1 second'
      from unnest($2::bigint[], $3::text[], $4::int[]) failed (id, message, attempts)
      where job.id = failed.id and locked_by = $1`,
    values: [
      worker,
      jobs.map(({ id }) => id),
      jobs.map(({ message }) => message),
      jobs.map(({ attempts }) => attempts),
    ],
  });
}
