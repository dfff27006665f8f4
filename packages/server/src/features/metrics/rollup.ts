import type { Deps } from '../../deps.ts';
import { transaction } from '../../platform/database/database.ts';
import { addJob, cronQueue, type Task } from '../../platform/queue/jobs.ts';
import { advanceSafeId, rollUpChanges, rollUpEvents } from './store.ts';

/** Name of the job, done every minute by one of the processes. */
export const metricsTask = 'metrics';
/** Name of the jobs that do what it has left. */
export const metricsCatchUpTask = 'metrics_catch_up';

/** A few seconds' work: other jobs get their turn in between, and a stop is not held up. */
const stepsPerJob = 20;

/**
 * Keeps the counts that `/internal/metrics` reads. Each step stands for itself: a process may die between two, and what
 * the machine loses with its power is added up again.
 */
export function createRollup({ db }: Pick<Deps, 'db'>): Task {
  return async () => {
    await advanceSafeId(db.patient);
    await addUp(db);
  };
}

/** After a long pause there may be millions of events: they are added up bit by bit, until nothing is left. */
export function createRollupCatchUp({ db }: Pick<Deps, 'db'>): Task {
  return () => addUp(db);
}

async function addUp(db: Deps['db']): Promise<void> {
  // Changes come to their turn however many events there are.
  const isDone = [await repeated(() => rollUpEvents(db.patient)), await repeated(() => rollUpChanges(db.patient))];
  if (!isDone.includes(false)) return;
  // One after the other, and one that waits: two would wait for each other's row, and take workers from other jobs.
  const alone = { queueName: cronQueue(metricsTask), key: metricsCatchUpTask };
  await transaction(db, tx => addJob(tx, metricsCatchUpTask, {}, alone));
}

/** @returns whether nothing is left */
async function repeated(step: () => Promise<boolean>): Promise<boolean> {
  for (let done = 0; done < stepsPerJob; done++) {
    if (!(await step())) return true;
  }
  return false;
}
