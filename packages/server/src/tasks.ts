import type { Deps } from './deps.ts';
import { emailTasks } from './features/emails/index.ts';
import { imagePurge, imagePurgeTask } from './features/images/purge.ts';
import { addingUp, catchingUp, metricsCatchUpTask, metricsTask } from './features/metrics/adding-up.ts';
import { projectDeletion, projectDeletionTask } from './features/projects/deletion.ts';
import { webhookWork } from './features/webhooks/index.ts';
import type { Cron, Tasks, Work } from './platform/jobs.ts';
import { purge, purgeTask } from './platform/purge.ts';
import { purgeRules } from './purge-rules.ts';

/** All that the workers of this process do. */
export function allWork(deps: Deps): Work {
  const webhooks = webhookWork(deps);
  const tasks = {
    ...emailTasks(deps),
    ...webhooks.tasks,
    [projectDeletionTask]: projectDeletion(deps),
    [metricsTask]: addingUp(deps),
    [metricsCatchUpTask]: catchingUp(deps),
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
