import type { Deps } from '../../deps.ts';
import type { Tasks } from '../../platform/queue/jobs.ts';
import { createUnsubscribeLink } from './notifications/index.ts';
import { mailDelivery } from './queue/delivery.ts';
import { mailTask } from './queue/index.ts';
import { takeFromMailQuota } from './quota.ts';
import { installationSender, senderOf } from './senders.ts';

/** The jobs that deliver emails. */
export function emailTasks(deps: Deps): Tasks {
  const delivery = mailDelivery(deps, {
    senderOf: project => senderOf(project, deps),
    installationSenderOf: project => installationSender(project, deps),
    takeFromQuota: (project, mail) => takeFromMailQuota(project, mail, deps),
    unsubscribeLink: reader => createUnsubscribeLink(reader, deps),
  });
  return { [mailTask]: delivery };
}
