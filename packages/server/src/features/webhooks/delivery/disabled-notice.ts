import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { recordAudit } from '../../audit/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import { selectOwnerAddresses } from '../../projects/index.ts';
import { toPublicId } from '../rules.ts';
import type { DeliveryId } from './store.ts';

interface DisabledNoticeDeps {
  readonly clock: Clock;
  readonly mail: Mail;
}

/** Records the disabled endpoint in the audit log and sends an email to each owner. */
export async function notifyEndpointDisabled(
  tx: Transaction,
  { projectId, endpointId, url }: DeliveryId & { url: string },
  deps: DisabledNoticeDeps,
): Promise<void> {
  await recordAudit(tx, {
    projectId,
    action: 'webhook_endpoint.disabled',
    actor: { type: 'system', id: null },
    subject: { type: 'webhook_endpoint', id: toPublicId('endpoint', endpointId) },
    atMillis: deps.clock.now(),
  });
  // Not from memory: a load outside the transaction would take a second connection while this one is held.
  const owned = (await selectOwnerAddresses(tx, [projectId])).get(projectId);
  if (owned === undefined) return;
  const variables = { ofProject: owned.displayName, endpointUrl: url };
  for (const recipient of owned.addresses) {
    await deps.mail.send(tx, { projectId, template: 'webhook_endpoint_disabled', recipient, variables });
  }
}
