import { type Database, transaction } from '../../platform/database/database.ts';
import { addJob } from '../../platform/queue/add-job.ts';
import { cronQueue } from '../../platform/queue/task-list.ts';
import type { Task } from '../../platform/queue/work.ts';
import { advanceSafeId, rollUpChanges, rollUpEvents } from './store.ts';

/** Name of the job that runs every minute in one of the processes. */
export const metricsTask = 'metrics';
/** Name of the job that continues when a run has left events. */
export const metricsCatchUpTask = 'metrics_catch_up';

/** A few seconds of work, so that other jobs run in between and a stopping process does not wait. */
const stepsPerJob = 20;

/**
 * Updates the counters that `/internal/metrics` reads. Each step is a transaction of its own: a process may end between
 * two steps, and steps lost in a power failure run again.
 */
export function createRollup({ db }: { readonly db: Database }): Task {
  return async () => {
    await advanceSafeId(db.longRunning);
    await rollUp(db);
  };
}

/** After a long pause there may be millions of events: each run rolls up a part, until none is left. */
export function createRollupCatchUp({ db }: { readonly db: Database }): Task {
  return () => rollUp(db);
}

async function rollUp(db: Database): Promise<void> {
  // Changes first: they are rolled up however many events there are.
  const isDone = [
    await repeatStep(() => rollUpEvents(db.longRunning)),
    await repeatStep(() => rollUpChanges(db.longRunning)),
  ];
  if (!isDone.includes(false)) return;
  // One catch-up job runs and one waits. More would wait for row locks and occupy workers.
  const alone = { queueName: cronQueue(metricsTask), key: metricsCatchUpTask };
  await transaction(db, tx => addJob(tx, metricsCatchUpTask, {}, alone));
}

/** @returns true when nothing is left */
async function repeatStep(step: () => Promise<boolean>): Promise<boolean> {
  for (let done = 0; done < stepsPerJob; done++) {
    if (!(await step())) return true;
  }
  return false;
}
