import type { CronItem, JobHelpers, TaskList } from 'graphile-worker';
import { attemptsAfterFailure } from './newer-version.ts';
import type { Cron, Task, Tasks } from './work.ts';

/** The queue of a scheduled job. */
export function cronQueue(task: string): string {
  return `cron ${task}`;
}

/** Runs in its own queue, so that no run starts before the last one ends. A failed run is not retried: the next follows. */
export function cronItem({ task, when }: Cron): CronItem {
  return { task, match: when, options: { queueName: cronQueue(task), maxAttempts: 1, backfillPeriod: 0 } };
}

export function taskListOf(tasks: Tasks, names: readonly string[]): TaskList {
  const wanted = Object.entries(tasks).filter(([name]) => names.includes(name));
  return Object.fromEntries(
    wanted.map(([name, task]) => [name, (payload, helpers) => tryTask(task, payload, helpers)]),
  );
}

async function tryTask(task: Task, payload: unknown, { job, query }: JobHelpers): Promise<void> {
  try {
    await task(payload);
  } catch (error) {
    const { created_at: createdAt, locked_at: lockedAt } = job;
    const attempts = attemptsAfterFailure(error, {
      attempts: job.attempts,
      createdAt,
      lockedAt: lockedAt ?? createdAt,
    });
    if (attempts !== job.attempts) {
      await query('update graphile_worker._private_jobs set attempts = $2 where id = $1', [job.id, attempts]);
    }
    throw error;
  }
}
