import type { Settings } from '../../env.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Outbound } from '../../platform/network/outbound.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { LaneWork, Tasks } from '../../platform/queue/work.ts';
import type { Mail } from '../email/queue/index.ts';
import type { Projects } from '../projects/index.ts';
import { eventFanOut, webhookDelivery } from './delivery/delivery.ts';
import { createEndpointLimits, requestsPerEndpoint, requestsPerProject } from './delivery/endpoint-limits.ts';
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

/** Requests at once, to all endpoints together. Most of them wait for the response. */
const requestsAtOnce = 64;
/** Events that are expanded to their endpoints at once. Those of one moment share a statement. */
const eventsAtOnce = 128;
const eventsPerProject = 64;

/** The jobs that deliver events to the endpoints of a project, or to the Svix server of the operator. */
export function webhookWork(deps: WebhookWorkDeps): { tasks: Tasks; lanes: readonly LaneWork[] } {
  const { svix } = deps.settings;
  const endpoints = createEndpointLimits(deps);
  return {
    tasks: {
      [eventTask]: svix === undefined ? eventFanOut(deps) : svixForwarding(svix, deps),
      [deliveryTask]: webhookDelivery(deps, endpoints),
    },
    lanes: [
      { names: [eventTask], concurrency: eventsAtOnce, perFlag: eventsPerProject },
      {
        names: [deliveryTask],
        concurrency: requestsAtOnce,
        perFlag: requestsPerEndpoint,
        perProject: requestsPerProject,
        limits: endpoints.limits,
      },
    ],
  };
}
