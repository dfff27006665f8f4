import type { Deps } from '../../deps.ts';
import type { Task } from '../../platform/jobs.ts';
import { addUpChanges, addUpEvents, advanceSafeId } from './store.ts';

/** Name of the job, done every minute by one of the processes. */
export const metricsTask = 'metrics';

/** So much at once: what is left is done by the next one, and is exact meanwhile. */
const maxSteps = 100;

/**
 * Keeps the counts that `/internal/metrics` reads. Each step stands for itself: a process may die between two, and what
 * the machine loses with its power is added up again.
 */
export function addingUp({ db }: Pick<Deps, 'db'>): Task {
  return async () => {
    await advanceSafeId(db.relaxed);
    await repeated(() => addUpEvents(db.relaxed));
    await repeated(() => addUpChanges(db.relaxed));
  };
}

async function repeated(step: () => Promise<boolean>): Promise<void> {
  for (let done = 0; done < maxSteps; done++) {
    if (!(await step())) return;
  }
}
