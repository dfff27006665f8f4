import type { Deps } from './deps.ts';
import type { Tasks } from './platform/jobs.ts';
import { mailDelivery } from './platform/mail/delivery.ts';
import { mailTask } from './platform/mail/index.ts';

/** Every kind of job, done by the worker of this process. */
export function allTasks(deps: Deps): Tasks {
  return { [mailTask]: mailDelivery(deps) };
}
