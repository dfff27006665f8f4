import type { AuditedCall } from '../../../core/audit-event.ts';
import type { Project } from '../../../core/project.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, type Queryable, type Transaction, transaction } from '../../../platform/database/database.ts';
import { addJob } from '../../../platform/queue/add-job.ts';
import { type LimitedCall, type RateLimits, resendingUses } from '../../../platform/rate-limits/index.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import { selectCopy } from '../messages/copy-store.ts';
import { queueCopies } from '../messages/sending.ts';
import { lockMessage } from '../messages/store.ts';
import { hasCode } from '../queue/code-expiry.ts';
import { mailPriority, mailTask } from '../queue/mail.ts';
import { requeueMail, selectUnsent } from '../queue/waiting-store.ts';
import { planResending, type Resending, resendingRefusals } from './rules.ts';
import type { LogRow } from './store.ts';

export interface SendingAgainDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly rateLimits: RateLimits;
}

/** What can be done about an email of the log. */
export interface Followup {
  readonly resending: Resending;
  /** Of a waiting email; null when it is due. */
  readonly nextAttemptAtMillis: number | null;
}

export async function loadFollowup(db: Queryable, projectId: string, row: LogRow): Promise<Followup> {
  const { error, template, mailId, messageId, userId } = row;
  const mail = mailId === null ? undefined : await selectUnsent(db, { projectId, id: mailId });
  const isCopy = messageId !== null && userId !== null;
  const copy = isCopy ? await selectCopy(db, projectId, { messageId, userId }) : undefined;
  return {
    resending: planResending({ error, messageId, hasCode: template !== null && hasCode(template) }, { mail, copy }),
    nextAttemptAtMillis: mail?.nextAttemptAtMillis ?? copy?.nextAttemptAtMillis ?? null,
  };
}

/**
 * Returns a failed email to the queue.
 *
 * @throws a 409 for one that cannot be sent again, or a 429
 */
export async function sendAgain(
  call: AuditedCall & LimitedCall & { readonly project: Project },
  row: LogRow,
  deps: SendingAgainDeps,
): Promise<void> {
  const { project } = call;
  assertPossible(await loadFollowup(deps.db, project.id, row));
  await deps.rateLimits.spend(resendingUses(call, row.recipients.join()));
  await transaction(deps.db, async tx => {
    if (row.messageId === null) await requeueKept(tx, project.id, row);
    else await queueCopyAgain(tx, project, row, deps);
    const event = {
      action: 'email.sent_again',
      subject: { type: 'email', id: row.id },
      ...(row.userId !== null && { userId: row.userId }),
      details: { template: row.template },
    } as const;
    await recordAudit(tx, { ...auditedBy(call), ...event, atMillis: deps.clock.now() });
  });
}

async function requeueKept(tx: Transaction, projectId: string, { mailId }: LogRow): Promise<void> {
  const mail = mailId === null ? undefined : await requeueMail(tx, { projectId, id: mailId });
  if (mail === undefined) refuse(409, resendingRefusals.waiting);
  await addJob(tx, mailTask, { projectId, id: mailId }, { priority: mailPriority(mail), flags: [projectId] });
}

/** The copy is made anew from the message, for the user's present address. */
async function queueCopyAgain(tx: Transaction, project: Project, row: LogRow, deps: SendingAgainDeps): Promise<void> {
  const { messageId, userId } = row;
  if (messageId === null || userId === null) return refuse(409, resendingRefusals.not_kept);
  // Two requests for the same copy follow each other.
  const message = await lockMessage(tx, project.id, messageId);
  assertPossible(await loadFollowup(tx, project.id, row));
  if (message === undefined) return refuse(409, resendingRefusals.not_kept);
  const count = await queueCopies(tx, { message, userIds: [userId], project }, deps);
  if (count === 0) refuse(409, 'The user has unsubscribed, or has no primary email address any more.');
}

function assertPossible({ resending }: Followup): void {
  if (resending !== 'possible') refuse(409, resendingRefusals[resending]);
}
