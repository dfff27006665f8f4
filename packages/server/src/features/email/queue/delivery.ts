import { randomInt, randomUUID } from 'node:crypto';
import {
  type EmailTheme,
  emailVerificationLifetimeMs,
  invitationLifetimeMs,
  type Json,
  mailFirstRetryMs,
  mailMaxAttempts,
  passwordResetLifetimeMs,
  signInCodeLifetimeMs,
} from '@tessera/protocol';
import * as z from 'zod';
import type { Project } from '../../../core/project.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, type Queryable, transaction } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/observability/log.ts';
import { addJob, type Task } from '../../../platform/queue/jobs.ts';
import { WrittenByNewerVersion } from '../../../platform/queue/newer-version.ts';
import { mailContentOf } from '../rendering/content.ts';
import { type Frame, footerLines, type Unsubscription } from '../rendering/look.ts';
import { type Rendered, renderEmail, renderMessageBlocks } from '../rendering/render.ts';
import { projectName } from '../templates/names.ts';
import { noticeFacts } from '../templates/notice-facts.ts';
import { isNotice } from '../templates/notices.ts';
import { builtInTemplates, type MailTemplate } from '../templates/templates.ts';
import { renderFramed, renderFramedText } from '../templates/themes.ts';
import type { Message, Transport } from '../transport/transport.ts';
import { decryptBulkEmailBody } from './bulk-email.ts';
import type { MailFailure } from './failures.ts';
import { mailTask, mailVariablesPurpose, type Template } from './mail.ts';
import {
  countMailAttempt,
  deleteMail,
  deleteUnusedBodies,
  insertSentMail,
  type MailRow,
  selectBody,
  selectMail,
  selectOwnTemplate,
} from './store.ts';

/** The server and the sender address of an email. */
export interface Sender {
  readonly type: 'shared' | 'standard';
  readonly transport: Omit<Transport, 'close'>;
  readonly from: Message['from'];
}

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
  /** Creates an unsubscribe link; undefined for a deleted user. */
  readonly unsubscribeLink: (reader: {
    projectId: string;
    userId: string;
    categoryId: string;
  }) => Promise<Unsubscription | undefined>;
}

/** Encryption purpose of subjects in the log of sent emails. */
export const mailSubjectPurpose = 'mail subject';

/** Templates that the installation sends, also when the project has its own server. */
const installationTemplates: ReadonlySet<string> = new Set([
  'api_key_leaked',
  'failed_emails_digest',
  'webhook_endpoint_disabled',
] satisfies Template[]);

/** Delay of a postponed email, random so that emails postponed together do not return together. */
const postponeMinMs = 10_000;
const postponeMaxMs = 120_000;

/** Lifetimes of the codes in emails. */
const codeLifetimesMs: ReadonlyMap<string, number> = new Map<Template, number>([
  ['magic_link', signInCodeLifetimeMs],
  ['reauthentication_code', signInCodeLifetimeMs],
  ['password_reset', passwordResetLifetimeMs],
  ['email_verification', emailVerificationLifetimeMs],
  ['team_invitation', invitationLifetimeMs],
]);

const reference = z.object({ projectId: z.string(), id: z.string() });
const variablesSchema = z.record(z.string(), z.string().optional());

/**
 * Delivers emails: sends one to the mail server, then logs the attempt and removes the email from the queue, or enqueues
 * a retry, in one transaction. When the process dies in between, the email stays in the queue and is sent again under
 * the same message id (control 103).
 */
export function mailDelivery<P extends MailProject>(deps: DeliveryDeps<P>, options: DeliveryOptions<P>): Task {
  return async payload => {
    const { projectId, id } = reference.parse(payload);
    const [mail, loaded] = await Promise.all([selectMail(deps.db, projectId, id), deps.projects.find(projectId)]);
    // The email was delivered before, or its user or project was deleted.
    if (mail === undefined || loaded === undefined) return;
    const { project } = loaded;
    const { type, transport, from } = installationTemplates.has(mail.template)
      ? options.installationSenderOf(project)
      : options.senderOf(project);
    if (isCodeExpired(mail, deps.clock.now())) return dropEmail({ projectId, id }, deps);
    if (transport.hasRoom?.() === false) return postpone({ projectId, id }, deps);
    const waitMs = mail.countsInQuota && mail.attempts === 0 ? await options.takeFromQuota(project, mail) : 0;
    if (waitMs > 0) return postpone({ projectId, id }, deps, waitMs);
    const { displayName, config } = project;
    const frame = { projectName: projectName(displayName), senderAddress: from.address, branding: config.branding };
    const rendered = await renderMessage({ ...mail, id, projectId }, project, { deps, options, frame });
    if (rendered === undefined) return;
    const message = { id, projectId, from, to: mail.recipient, ...rendered };
    const hasNoServer = mail.bodyId !== null && type === 'shared' && !config.sharedServerSendsToUsers;
    const failure = hasNoServer ? noOwnServerFailure : await transport.send(message);
    await recordAttempt({ message, type, server: transport.server, failure, mail }, deps);
  };
}

/** Emails to users need the project's own server, also when the project removes it while they are queued. */
const noOwnServerFailure: MailFailure = {
  type: 'REJECTED',
  canRetry: false,
  message: 'The project has no mail server of its own any more.',
  raw: {},
};

/** The code in an email that waited for the quota may have expired. */
function isCodeExpired({ countsInQuota, template, createdAtMillis }: MailRow, nowMillis: number): boolean {
  const lifetimeMs = codeLifetimesMs.get(template);
  return countsInQuota && lifetimeMs !== undefined && createdAtMillis + lifetimeMs <= nowMillis;
}

async function dropEmail(
  { projectId, id }: { projectId: string; id: string },
  { db, log }: { db: Database; log: Log },
): Promise<void> {
  log.warn({ projectId, mail: id }, 'an email is not sent because its code has expired');
  await transaction(db, tx => deleteMail(tx, projectId, id));
}

function postpone(email: { projectId: string; id: string }, { db }: { db: Database }, waitMs = 0): Promise<void> {
  const delayMs = waitMs + randomInt(postponeMinMs, postponeMaxMs);
  return transaction(db, tx => addJob(tx, mailTask, email, { delayMs }));
}

interface RenderingDeps<P extends MailProject> {
  readonly deps: DeliveryDeps<P>;
  readonly options: DeliveryOptions<P>;
  readonly frame: Frame;
}

/** @returns undefined when there is nothing left to send */
async function renderMessage<P extends MailProject>(
  mail: MailRow & { id: string; projectId: string },
  { displayName, config }: P,
  { deps, options, frame }: RenderingDeps<P>,
): Promise<Pick<Message, keyof Rendered | 'unsubscribeUrl'> | undefined> {
  if (mail.bodyId !== null) return renderBulkEmail({ ...mail, bodyId: mail.bodyId }, { deps, options, frame });
  if (mail.variables === null) return undefined;
  if (!isTemplate(mail.template)) throw new WrittenByNewerVersion(`a mail of an unknown template: ${mail.template}`);
  const sealed = deps.secrets.decrypt(mailVariablesPurpose, mail.variables);
  const given = variablesSchema.parse(JSON.parse(sealed.toString()));
  const facts = isNotice(mail.template) ? noticeFacts(given, { atMillis: mail.createdAtMillis, config }) : {};
  const variables = { ...given, ...facts };
  const own = await ownTemplate(deps.db, mail.projectId, mail.template);
  const { senderAddress, branding } = frame;
  return renderEmail(
    { template: mail.template, variables, projectDisplayName: displayName, senderAddress, branding },
    own,
  );
}

async function renderBulkEmail<P extends MailProject>(
  { projectId, userId, userDisplayName, bodyId }: MailRow & { projectId: string; bodyId: string },
  { deps, options, frame }: RenderingDeps<P>,
): Promise<Pick<Message, keyof Rendered | 'unsubscribeUrl'> | undefined> {
  const sealed = await selectBody(deps.db, projectId, bodyId);
  if (sealed === undefined || userId === null) return undefined;
  const body = decryptBulkEmailBody(sealed, deps);
  const { endsCategoryId } = body;
  const unsubscription =
    endsCategoryId === null
      ? undefined
      : await options.unsubscribeLink({ projectId, userId, categoryId: endsCategoryId });
  // The user was deleted.
  if (endsCategoryId !== null && unsubscription === undefined) return undefined;
  return {
    ...('blocks' in body
      ? await renderBlocks(body, { userDisplayName, frame: { ...frame, message: { unsubscription } } })
      : renderHtml(body, { frame, unsubscription })),
    ...(unsubscription && { unsubscribeUrl: unsubscription.url }),
  };
}

function renderBlocks(
  { subject, blocks }: { subject: string; blocks: Json },
  reader: { userDisplayName: string | null; frame: Frame },
): Promise<Rendered> {
  return renderMessageBlocks({ subject, content: mailContentOf(blocks) ?? {} }, reader);
}

function renderHtml(
  { subject, theme, html, text }: { subject: string; theme: EmailTheme; html: string; text: string },
  { frame, unsubscription }: { frame: Frame; unsubscription: Unsubscription | undefined },
): Rendered {
  const footer = unsubscription && { unsubscription, sender: footerLines(frame) };
  return { subject, html: renderFramed({ theme, html, subject, footer }), text: renderFramedText(text, footer) };
}

/** The template that the project has changed; undefined for the built-in one. */
async function ownTemplate(db: Queryable, projectId: string, template: Template): Promise<MailTemplate | undefined> {
  const own = await selectOwnTemplate(db, projectId, template);
  return own && { subject: own.subject, content: mailContentOf(own.content) ?? {} };
}

interface Attempt {
  readonly message: Message;
  readonly type: Sender['type'];
  readonly server: Transport['server'];
  /** Null when the server accepted the email. */
  readonly failure: MailFailure | null;
  readonly userId?: string | null;
  readonly messageId?: string | null;
}

async function recordAttempt<P extends MailProject>(
  { mail, ...attempt }: Attempt & { mail: MailRow },
  deps: DeliveryDeps<P>,
): Promise<void> {
  const { projectId, id } = attempt.message;
  const attempts = mail.attempts + 1;
  const { failure } = attempt;
  const retries = failure?.canRetry === true && attempts < mailMaxAttempts;
  if (failure !== null) {
    deps.log.warn(
      { projectId, mail: id, errorType: failure.type, attempt: attempts },
      'the mail server refused an email',
    );
  }
  await transaction(deps.db, async tx => {
    await logAttempt(tx, { ...attempt, userId: mail.userId, messageId: mail.messageId }, deps);
    if (retries) {
      await countMailAttempt(tx, projectId, id);
      await addJob(tx, mailTask, { projectId, id }, { delayMs: mailFirstRetryMs * 2 ** (attempts - 1) });
      return;
    }
    await deleteMail(tx, projectId, id);
    if (mail.bodyId !== null) await deleteUnusedBodies(tx, projectId);
  });
}

/** Records an attempt in the log of sent emails (docs/contract/emails-webhooks-metrics.md#sent-email-log). */
export async function logAttempt(
  db: Queryable,
  { message, type, server, failure, userId = null, messageId = null }: Attempt,
  { secrets, clock }: { secrets: Secrets; clock: Clock },
): Promise<void> {
  await insertSentMail(db, message.projectId, {
    id: randomUUID(),
    recipients: [message.to],
    subject: secrets.encrypt(mailSubjectPurpose, message.subject),
    senderConfig: senderConfig(message, type, server),
    error: failure === null ? null : wireError(failure),
    sentAtMillis: clock.now(),
    userId,
    messageId,
  });
}

/** Without the password. */
function senderConfig({ from }: Message, type: Sender['type'], { host, port, username }: Transport['server']): object {
  return { type, host, port, username, sender_name: from.name, sender_email: from.address };
}

function wireError({ type, canRetry, message, raw }: MailFailure): object {
  return { errorType: type, canRetry, message, rawError: raw };
}

function isTemplate(name: string): name is Template {
  return Object.hasOwn(builtInTemplates, name);
}
