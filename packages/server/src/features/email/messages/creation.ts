import { randomUUID } from 'node:crypto';
import type { AuditedCall } from '../../../core/audit-event.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, onlyRow, transaction } from '../../../platform/database/database.ts';
import { addJob } from '../../../platform/queue/add-job.ts';
import { messageUses, type RateLimits } from '../../../platform/rate-limits/index.ts';
import { holdCallerSession, type SensitiveCaller } from '../../accounts/users/index.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import { assertKeyUsable, type Projects } from '../../projects/index.ts';
import type { NotificationCategory } from '../notifications/index.ts';
import type { Audience } from './audience-store.ts';
import { countReachable } from './rules.ts';
import { messageTask } from './sending.ts';
import { countAudience, insertMessage, type MessageProgress, selectMessages } from './store.ts';
import { encryptMessage, type MessageText } from './text.ts';

interface CreationDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly rateLimits: RateLimits;
  readonly projects: Projects;
}

interface Draft extends MessageText {
  readonly audience: Audience;
  readonly category: NotificationCategory;
  /** The number of users that the sender confirmed. */
  readonly expectedRecipients: number;
}

/**
 * Stores a message and the job that sends it. Among a million users the count of the recipients takes seconds, so the access
 * of the caller is checked again after it.
 *
 * @throws the refusals of `holdCallerSession` and `assertKeyUsable`, and a text error for the number of recipients
 */
export async function createMessage(
  call: AuditedCall & SensitiveCaller,
  { subject, content, audience, category, expectedRecipients }: Draft,
  { db, clock, secrets, rateLimits, projects }: CreationDeps,
): Promise<MessageProgress> {
  const by = auditedBy(call);
  const { projectId, actor } = by;
  const recipients = countReachable(await countAudience(db, projectId, { audience, category }));
  if (recipients === 0) refuse(400, 'The message would reach no user.');
  if (recipients > expectedRecipients) {
    refuse(409, `The message would reach ${recipients} users, more than were confirmed.`);
  }
  await rateLimits.spend(messageUses('messagesPerProject', projectId));
  const id = randomUUID();
  const createdAtMillis = clock.now();
  const encrypted = encryptMessage({ subject, content }, secrets);
  const message = { id, createdAtMillis, encrypted, categoryId: category.id, audience, recipients };
  await assertKeyUsable(call, projects);
  return transaction(db, async tx => {
    await holdCallerSession(tx, call, { clock });
    await insertMessage(tx, projectId, { ...message, actorType: actor.type, actorId: actor.id });
    await addJob(tx, messageTask, { projectId, id });
    const details = { recipients, category: category.name, audience: audience.type };
    const event = { action: 'message.created', subject: { type: 'message', id }, details } as const;
    await recordAudit(tx, { ...by, ...event, atMillis: createdAtMillis });
    return onlyRow(await selectMessages(tx, projectId, { id, limit: 1 }));
  });
}
