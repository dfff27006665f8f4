import type { Deps } from './deps.ts';
import { emailTasks } from './features/email/index.ts';
import { imagePurge, imagePurgeTask } from './features/images/purge.ts';
import { createRollup, createRollupCatchUp, metricsCatchUpTask, metricsTask } from './features/metrics/rollup.ts';
import { projectDeletion, projectDeletionTask } from './features/projects/deletion/deletion.ts';
import { webhookWork } from './features/webhooks/index.ts';
import { purge, purgeTask } from './platform/database/purge.ts';
import type { Cron, Tasks, Work } from './platform/queue/jobs.ts';
import { purgeRules } from './purge-rules.ts';

/** All work of the job workers of a process. */
export function allWork(deps: Deps): Work {
  const webhooks = webhookWork(deps);
  const tasks = {
    ...emailTasks(deps),
    ...webhooks.tasks,
    [projectDeletionTask]: projectDeletion(deps),
    [metricsTask]: createRollup(deps),
    [metricsCatchUpTask]: createRollupCatchUp(deps),
    [purgeTask]: purge(purgeRules, deps),
    [imagePurgeTask]: imagePurge(deps),
  };
  return { tasks, waiting: webhooks.waiting, crons };
}

/** The handlers of all job types. */
export function allTasks(deps: Deps): Tasks {
  return allWork(deps).tasks;
}

/** The scheduled jobs. */
const crons: readonly Cron[] = [
  { task: metricsTask, when: '* * * * *' },
  { task: purgeTask, when: '*/10 * * * *' },
  { task: imagePurgeTask, when: '37 3 * * *' },
];
