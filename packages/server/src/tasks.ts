import type { Deps } from './deps.ts';
import { emailTasks } from './features/email/index.ts';
import { imagePurge, imagePurgeTask } from './features/images/purge.ts';
import { createRollup, createRollupCatchUp, metricsCatchUpTask, metricsTask } from './features/metrics/rollup.ts';
import { projectDeletion, projectDeletionTask } from './features/projects/deletion/deletion.ts';
import { webhookWork } from './features/webhooks/index.ts';
import { purge, purgeTask } from './platform/database/purge.ts';
import type { Cron, Tasks, Work } from './platform/queue/jobs.ts';
import { purgeRules } from './purge-rules.ts';

/** All that the workers of this process do. */
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

/** Every kind of job. */
export function allTasks(deps: Deps): Tasks {
  return allWork(deps).tasks;
}

/** Jobs that come by themselves. */
const crons: readonly Cron[] = [
  { task: metricsTask, when: '* * * * *' },
  { task: purgeTask, when: '*/10 * * * *' },
  { task: imagePurgeTask, when: '37 3 * * *' },
];
