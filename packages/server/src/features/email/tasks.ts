import type { Settings } from '../../env.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { Metrics } from '../../platform/observability/metrics.ts';
import type { LaneWork, Tasks } from '../../platform/queue/work.ts';
import type { RateLimits } from '../../platform/rate-limits/index.ts';
import type { Projects } from '../projects/index.ts';
import { messageSending, messageTask } from './messages/sending.ts';
import { createUnsubscribeLink } from './notifications/index.ts';
import { mailDelivery } from './queue/delivery.ts';
import { mailTask } from './queue/index.ts';
import { takeFromMailQuota } from './quota.ts';
import { installationSender, senderOf } from './senders.ts';
import type { OwnMailServers } from './transport/project-servers.ts';
import type { Transport } from './transport/transport.ts';

interface EmailTaskDeps {
  readonly settings: Pick<Settings, 'mailFrom' | 'mode' | 'publicUrl'>;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly projects: Projects;
  readonly mailTransport: Transport;
  readonly ownMailServers: OwnMailServers;
  readonly rateLimits: RateLimits;
  readonly metrics: Metrics;
}

/** The jobs that deliver emails. */
export function emailTasks(deps: EmailTaskDeps): Tasks {
  const delivery = mailDelivery(deps, {
    senderOf: project => senderOf(project, deps),
    installationSenderOf: project => installationSender(project, deps),
    takeFromQuota: (project, mail) => takeFromMailQuota(project, mail, deps),
    unsubscribeLink: reader => createUnsubscribeLink(reader, deps),
  });
  return { [mailTask]: delivery, [messageTask]: messageSending(deps) };
}

/** Emails of one project leave room for those of others. After a `kill -9` at most as many arrive twice. */
const mailsPerProject = 32;

/** Emails in flight in this process; the mail client limits the connections. */
export function mailLane({ ownMailServers }: Pick<EmailTaskDeps, 'ownMailServers'>): LaneWork {
  return { names: [mailTask], concurrency: 48, perFlag: mailsPerProject, limits: ownMailServers.limits };
}
