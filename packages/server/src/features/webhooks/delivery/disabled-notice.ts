import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { countNotice } from '../../accounts/users/index.ts';
import { recordAudit } from '../../audit/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import { withoutLinks } from '../../email/templates/index.ts';
import { selectAddressedOwners } from '../../projects/index.ts';
import { toPublicId } from '../rules.ts';
import type { DeliveryId } from './store.ts';

interface DisabledNoticeDeps {
  readonly clock: Clock;
  readonly mail: Mail;
}

/**
 * Records the disabled endpoint in the audit log and sends an email to each owner, within the limits of notices
 * (control 72): an endpoint can be enabled again, and a receiver can disable it at once.
 */
export async function notifyEndpointDisabled(
  tx: Transaction,
  { projectId, endpointId, url }: Pick<DeliveryId, 'projectId' | 'endpointId'> & { url: string },
  deps: DisabledNoticeDeps,
): Promise<void> {
  const atMillis = deps.clock.now();
  await recordAudit(tx, {
    projectId,
    action: 'webhook_endpoint.disabled',
    actor: { type: 'system', id: null },
    subject: { type: 'webhook_endpoint', id: toPublicId('endpoint', endpointId) },
    atMillis,
  });
  // Not from memory: a load outside the transaction would take a second connection while this one is held.
  const owned = (await selectAddressedOwners(tx, [projectId])).get(projectId);
  if (owned === undefined) return;
  for (const { userId, address: recipient, isVerified } of owned.owners) {
    if (!(await countNotice(tx, recipient, { projectId: 'internal', userId, isVerified }, atMillis))) continue;
    // An unverified address may belong to another person, to whom this must not be a link.
    const variables = { ofProject: owned.displayName, endpointUrl: isVerified ? url : withoutLinks(url) };
    await deps.mail.send(tx, { projectId, template: 'webhook_endpoint_disabled', recipient, variables });
  }
}
