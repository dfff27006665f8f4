import { randomUUID } from 'node:crypto';
import { mailFirstRetryMs, mailMaxAttempts } from '@tessera/protocol';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, type Queryable, transaction } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/observability/log.ts';
import { addJob } from '../../../platform/queue/add-job.ts';
import type { Message, Transport } from '../transport/transport.ts';
import { codeExpiresAtMillis, isKeptAfterFailure } from './code-expiry.ts';
import { isTemporary, type MailFailure } from './failures.ts';
import { mailPriority, mailTask } from './mail.ts';
import { countMailAttempt, deleteUnusedBodies, insertSentMails, type MailRow, type SentMail } from './store.ts';

/** The server and the sender address of an email. */
export interface Sender {
  readonly type: 'shared' | 'standard';
  readonly transport: Omit<Transport, 'close'>;
  readonly from: Message['from'];
}

interface AttemptDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** Encryption purpose of subjects in the log of sent emails. */
export const mailSubjectPurpose = 'mail subject';

interface Attempt {
  readonly message: Message;
  readonly type: Sender['type'];
  readonly server: Transport['server'];
  /** Null when the server accepted the email. */
  readonly failure: MailFailure | null;
}

type MailAttempt = Attempt & { readonly mail: MailRow };

/**
 * Delays of the attempts that follow those of the contract when the last answer was temporary. A server that greylists often
 * accepts an email after five minutes, while a sign-in code is still valid.
 */
const laterDelaysMs = [60_000, 300_000, 1_800_000];

/** The delay of the next attempt in milliseconds; undefined after the last one. */
export function nextAttemptDelayMs({ failure, mail }: MailAttempt, nowMillis: number): number | undefined {
  if (failure === null) return undefined;
  const { attempts } = mail;
  if (failure.canRetry && attempts + 1 < mailMaxAttempts) return mailFirstRetryMs * 2 ** attempts;
  if (!isTemporary(failure)) return undefined;
  const delayMs = laterDelaysMs[failure.canRetry ? attempts + 1 - mailMaxAttempts : attempts];
  return delayMs !== undefined && nowMillis + delayMs < codeExpiresAtMillis(mail) ? delayMs : undefined;
}

/** Logs for the operator that the mail server refused an email. */
export function logMailFailure(
  { message, failure, mail }: Pick<MailAttempt, 'message' | 'mail'> & { failure: MailFailure },
  { log }: { log: Log },
): void {
  const { projectId, id } = message;
  log.warn(
    { projectId, mail: id, errorType: failure.type, attempt: mail.attempts + 1 },
    'the mail server refused an email',
  );
}

/** Logs the attempt, and enqueues the next one. */
export async function recordRetry(attempt: MailAttempt, delayMs: number, deps: AttemptDeps): Promise<void> {
  const { projectId, id } = attempt.message;
  await transaction(deps.db, async tx => {
    await insertSentMails(tx, [sentMailOf(attempt, deps)]);
    await countMailAttempt(tx, { projectId, id }, { nextAttemptAtMillis: deps.clock.now() + delayMs });
    const options = { delayMs, priority: mailPriority(attempt.mail), flags: [projectId] };
    await addJob(tx, mailTask, { projectId, id }, options);
  });
}

/** An email after its last attempt. */
export interface EndedMail {
  readonly mail: MailRow;
  readonly sent: SentMail;
}

/** An email after its last attempt. One that failed is kept when it can be sent again. */
export function endedMailOf(attempt: MailAttempt, deps: { secrets: Secrets; clock: Clock }): EndedMail {
  const { mail, failure } = attempt;
  const then = failure !== null && isKeptAfterFailure(mail) ? 'keep' : 'delete';
  return { mail, sent: { ...sentMailOf(attempt, deps), then } };
}

/** Logs the last attempts, and removes the emails from the queue. */
export async function recordEnded(db: Database, ended: readonly EndedMail[]): Promise<readonly EndedMail[]> {
  const sent = ended.map(mail => mail.sent);
  const copied = ended.filter(({ mail }) => mail.bodyId !== null);
  if (copied.length === 0) {
    await insertSentMails(db, sent);
    return ended;
  }
  await transaction(db, async tx => {
    await insertSentMails(tx, sent);
    for (const projectId of new Set(copied.map(({ sent }) => sent.projectId))) await deleteUnusedBodies(tx, projectId);
  });
  return ended;
}

/** Records an attempt in the log of sent emails (docs/contract/emails-webhooks-metrics.md#sent-email-log). */
export async function logAttempt(
  db: Queryable,
  attempt: Attempt,
  deps: { secrets: Secrets; clock: Clock },
): Promise<void> {
  await insertSentMails(db, [sentMailOf(attempt, deps)]);
}

/** The row of an attempt in the log. */
function sentMailOf(
  { message, type, server, failure, mail }: Attempt & { readonly mail?: MailRow },
  { secrets, clock }: { secrets: Secrets; clock: Clock },
): SentMail {
  return {
    projectId: message.projectId,
    id: randomUUID(),
    recipients: [message.to],
    subject: secrets.encrypt(mailSubjectPurpose, message.subject),
    senderConfig: senderConfig(message, type, server),
    error: failure === null ? null : wireError(failure),
    sentAtMillis: clock.now(),
    userId: mail?.userId ?? null,
    messageId: mail?.messageId ?? null,
    template: mail?.template ?? null,
    mailId: mail === undefined ? null : message.id,
  };
}

/** The mail server of an attempt as the log shows it, without its password. */
function senderConfig({ from }: Message, type: Sender['type'], { host, port, username }: Transport['server']): object {
  return { type, host, port, username, sender_name: from.name, sender_email: from.address };
}

function wireError({ type, canRetry, message, raw }: MailFailure): object {
  return { errorType: type, canRetry, message, rawError: raw };
}
