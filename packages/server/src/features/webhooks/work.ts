import type { Settings } from '../../env.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Outbound } from '../../platform/network/outbound.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { Work } from '../../platform/queue/jobs.ts';
import type { Mail } from '../email/queue/index.ts';
import type { Projects } from '../projects/index.ts';
import { eventFanOut, webhookDelivery } from './delivery/delivery.ts';
import { createConcurrencyLimiter } from './delivery/endpoint-concurrency.ts';
import { deliveryTask } from './delivery/store.ts';
import { svixForwarding } from './delivery/svix-forwarding.ts';
import { eventTask } from './events/index.ts';

interface WebhookWorkDeps {
  readonly settings: Pick<Settings, 'svix'>;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly projects: Projects;
  readonly mail: Mail;
  readonly fetch: typeof fetch;
  readonly outbound: Outbound;
}

/** The jobs that deliver events to the endpoints of a project, or to the Svix server of the operator. */
export function webhookWork(deps: WebhookWorkDeps): Required<Pick<Work, 'tasks' | 'waiting'>> {
  const { svix } = deps.settings;
  const limiter = createConcurrencyLimiter();
  return {
    tasks: {
      [eventTask]: svix === undefined ? eventFanOut(deps) : svixForwarding(svix, deps),
      [deliveryTask]: webhookDelivery(deps, limiter),
    },
    waiting: { names: [deliveryTask, ...(svix === undefined ? [] : [eventTask])], held: limiter.full },
  };
}
