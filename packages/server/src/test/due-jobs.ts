import { Logger, runOnce } from 'graphile-worker';
import type pg from 'pg';
import { allWork } from '../compose.ts';
import type { Deps } from '../deps.ts';
import { databaseTimings } from '../platform/database/connections/timings.ts';
import { taskListOf } from '../platform/queue/task-list.ts';
import { openWorkerPool } from '../platform/queue/worker-pool.ts';

/**
 * Runs the jobs of a test server that are due, and those that they add, one at a time.
 *
 * @param tasks default: the tasks of the server
 */
export async function runDueJobs(
  { connection, deps }: { connection: pg.ClientConfig; deps: Deps },
  tasks = allWork(deps).tasks,
): Promise<void> {
  const { pgPool, close } = openWorkerPool(connection, 2, databaseTimings);
  try {
    await runOnce({
      pgPool,
      taskList: taskListOf(tasks, Object.keys(tasks)),
      concurrency: 1,
      noHandleSignals: true,
      logger: new Logger(() => (level, message) => deps.log[level === 'error' ? 'warn' : 'debug'](message)),
    });
  } finally {
    await close();
  }
}
