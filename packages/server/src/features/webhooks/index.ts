import type { Deps } from '../../deps.ts';
import type { Work } from '../../platform/queue/jobs.ts';
import { eventFanOut, webhookDelivery } from './delivery/delivery.ts';
import { createConcurrencyLimiter } from './delivery/endpoint-concurrency.ts';
import { deliveryTask } from './delivery/store.ts';
import { svixForwarding } from './delivery/svix-forwarding.ts';
import { eventTask } from './events/index.ts';

/** The jobs that deliver events to the endpoints of a project, or to the Svix server of the operator. */
export function webhookWork(deps: Deps): Required<Pick<Work, 'tasks' | 'waiting'>> {
  const { svix } = deps.settings;
  const turns = createConcurrencyLimiter();
  return {
    tasks: {
      [eventTask]: svix === undefined ? eventFanOut(deps) : svixForwarding(svix, deps),
      [deliveryTask]: webhookDelivery(deps, turns),
    },
    waiting: { names: [deliveryTask, ...(svix === undefined ? [] : [eventTask])], held: turns.full },
  };
}
