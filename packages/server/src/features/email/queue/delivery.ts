import { randomInt } from 'node:crypto';
import { mailMaxWaitMs } from '@tessera/protocol';
import * as z from 'zod';
import type { Project } from '../../../core/project.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { batchLoad } from '../../../platform/database/batches/batch-load.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/observability/log.ts';
import { addJob } from '../../../platform/queue/add-job.ts';
import type { Task } from '../../../platform/queue/work.ts';
import { projectName } from '../templates/names.ts';
import type { Message } from '../transport/transport.ts';
import {
  type EndedMail,
  endedMailOf,
  logMailFailure,
  nextAttemptDelayMs,
  recordEnded,
  recordRetry,
  type Sender,
} from './attempts.ts';
import { codeExpiresAtMillis } from './code-expiry.ts';
import { keepEndedMails } from './ended-mails.ts';
import { isUnreachable, type MailFailure } from './failures.ts';
import { mailPriority, mailTask, type Template } from './mail.ts';
import { renderMessage, type UnsubscribeLink } from './message.ts';
import { deleteMails, type MailId, type MailRow, selectMails, updateNextAttempt } from './store.ts';

type MailProject = Pick<Project, 'displayName' | 'config'>;

export interface DeliveryDeps<P extends MailProject> {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
  readonly projects: { find(id: string): Promise<{ readonly project: P } | undefined> };
}

/** Functions of other modules, passed in because the queue must not import them. */
export interface DeliveryOptions<P extends MailProject> {
  /** The sender of emails of a project. */
  readonly senderOf: (project: P) => Sender;
  /** The sender of emails of the installation. */
  readonly installationSenderOf: (project: P) => Sender;
  /** Takes one email from the mail quota of a project. @returns the delay in milliseconds; 0 when it was taken */
  readonly takeFromQuota: (project: P, mail: { readonly isToVerifiedAccount: boolean }) => Promise<number>;
  readonly unsubscribeLink: UnsubscribeLink;
}

/** Templates that the installation sends, also when the project has its own server. */
const installationTemplates: ReadonlySet<string> = new Set([
  'api_key_leaked',
  'failed_emails_digest',
  'webhook_endpoint_disabled',
] satisfies Template[]);

/** Delays of a postponed email, random so that emails postponed together do not return together. */
const pauses = { soon: [1_000, 3_000], later: [10_000, 120_000] } as const;
/** While the server of the installation cannot be reached: the upper end is the age of the email, within these limits. */
const outagePauses = { minMs: 5_000, youngMs: 10_000, maxMs: 120_000 };

/** `isCounted`: the email was taken from the quota before it was postponed. */
const reference = z.object({ projectId: z.string(), id: z.string(), isCounted: z.boolean().default(false) });
type Reference = z.infer<typeof reference>;

/**
 * Delivers emails: sends one to the mail server, then logs the attempt and removes the email from the queue, or enqueues
 * a retry, in one transaction. When the process dies in between, the email stays in the queue and is sent again under
 * the same message id (control 103). An end that the database did not take is kept in memory and only recorded afterwards: the
 * database may refuse writes for hours. Emails of one moment share the statements that read them and record their end.
 * While the server of the installation cannot be reached, emails wait for a day at most: no project could do anything about it.
 */
export function mailDelivery<P extends MailProject>(deps: DeliveryDeps<P>, options: DeliveryOptions<P>): Task {
  const { db } = deps;
  const find = batchLoad((mails: readonly MailId[]) => selectMails(db, mails), oneAtOnce);
  const recordFinal = batchLoad((ended: readonly EndedMail[]) => recordEnded(db, ended), {
    ...oneAtOnce,
    gatherMs,
  });
  const ends = keepEndedMails({ find, write: recordFinal });

  function senderOf({ template }: MailRow, project: P): Sender {
    return installationTemplates.has(template) ? options.installationSenderOf(project) : options.senderOf(project);
  }

  /** @returns the delay in milliseconds; 0 when the email may be sent now */
  async function takeFromQuota(mail: MailRow, { isCounted }: Reference, project: P): Promise<number> {
    const isFirst = mail.attempts === 0 && !isCounted;
    return mail.countsInQuota && isFirst ? options.takeFromQuota(project, mail) : 0;
  }

  /** @returns undefined when there is nothing left to send */
  async function compose(mail: MailRow & MailId, project: P, from: Sender['from']): Promise<Message | undefined> {
    const { id, projectId, recipient } = mail;
    const { displayName, config } = project;
    const frame = { projectName: projectName(displayName), senderAddress: from.address, branding: config.branding };
    const rendered = await renderMessage(mail, project, { deps, unsubscribeLink: options.unsubscribeLink, frame });
    return rendered && { id, projectId, from, to: recipient, ...rendered };
  }

  return async payload => {
    const queued = reference.parse(payload);
    const { projectId, id } = queued;
    const [mail, loaded] = await Promise.all([find({ projectId, id }), deps.projects.find(projectId)]);
    // The email was delivered before, or its user or project was deleted.
    if (mail === undefined || loaded === undefined) return;
    const recording = ends.waitFor(id);
    if (recording !== undefined) return recording;
    const nowMillis = deps.clock.now();
    if (isCodeExpired(mail, nowMillis)) return dropEmail({ projectId, id }, 'its code has expired', deps);

    const { project } = loaded;
    const { type, transport, from } = senderOf(mail, project);
    const isShared = type === 'shared';
    const isWaitOver = isShared && mail.createdAtMillis + mailMaxWaitMs <= nowMillis;
    const outagePause = outagePauseOf(mail, nowMillis);
    const later = { mail, email: queued };
    const room = transport.room?.() ?? 'now';
    if (room !== 'now' && !isWaitOver) return postpone(later, deps, isShared ? outagePause : pauses[room]);
    const waitMs = await takeFromQuota(mail, queued, project);
    if (waitMs > 0) return postpone(later, deps, pauses.later, waitMs);

    const message = await compose({ ...mail, projectId, id }, project, from);
    if (message === undefined)
      return dropEmail({ projectId, id }, 'its recipient has unsubscribed or was deleted', deps);
    const hasNoServer = mail.bodyId !== null && isShared && !project.config.sharedServerSendsToUsers;
    const failure = hasNoServer ? noOwnServerFailure : await transport.send(message);
    if (failure !== null) logMailFailure({ message, failure, mail }, deps);
    const isServerAway = isShared && failure !== null && isUnreachable(failure);
    if (isServerAway && !isWaitOver) {
      return postpone({ mail, email: { ...queued, isCounted: true } }, deps, outagePause);
    }

    const attempt = { message, type, server: transport.server, failure, mail };
    const delayMs = nextAttemptDelayMs(attempt, deps.clock.now());
    if (delayMs !== undefined) await recordRetry(attempt, delayMs, deps);
    else await ends.record(id, endedMailOf(attempt, deps));
  };
}

/** While one statement runs, the next batch gathers. */
const oneAtOnce = { maxQueries: 1, maxKeys: 100 };
/** Emails that a mail server accepts within this time are recorded together. Other emails are sent meanwhile. */
const gatherMs = 4;

/** Emails to users need the project's own server, also when the project removes it while they are queued. */
const noOwnServerFailure: MailFailure = {
  type: 'REJECTED',
  canRetry: false,
  message: 'The project has no mail server of its own any more.',
  raw: {},
};

/** The code in an email that waited for the quota or for the mail server may have expired. */
function isCodeExpired(mail: MailRow, nowMillis: number): boolean {
  return mail.countsInQuota && codeExpiresAtMillis(mail) <= nowMillis;
}

async function dropEmail(
  { projectId, id }: MailId,
  reason: string,
  { db, log }: { db: Database; log: Log },
): Promise<void> {
  log.warn({ projectId, mail: id }, `an email is not sent because ${reason}`);
  await transaction(db, tx => deleteMails(tx, [{ projectId, id }]));
}

/** A code that a person waits for comes soon after a short outage; after a long one many emails return together. */
function outagePauseOf({ createdAtMillis }: MailRow, nowMillis: number): readonly [number, number] {
  const { minMs, youngMs, maxMs } = outagePauses;
  return [minMs, Math.min(maxMs, Math.max(youngMs, nowMillis - createdAtMillis))];
}

function postpone(
  { mail, email }: { readonly mail: MailRow; readonly email: Reference },
  { db, clock }: { db: Database; clock: Clock },
  [minMs, maxMs]: readonly [number, number],
  waitMs = 0,
): Promise<void> {
  const delayMs = waitMs + randomInt(minMs, maxMs);
  const options = { delayMs, priority: mailPriority(mail), flags: [email.projectId] };
  return transaction(db, async tx => {
    await updateNextAttempt(tx, email, clock.now() + delayMs);
    await addJob(tx, mailTask, email, options);
  });
}
