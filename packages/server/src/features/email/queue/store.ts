import type { EmailTemplateType, Json } from '@tessera/protocol';
import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

export interface NewMail {
  readonly projectId: string;
  readonly id: string;
  readonly template: string;
  readonly recipient: string;
  /** The receiving user. Without a row of this user nothing is inserted; deleting the user deletes the email. */
  readonly userId: string | null;
  /** Encrypted. */
  readonly variables: Buffer;
  readonly createdAtMillis: number;
  readonly countsInQuota: boolean;
}

export interface MailRow {
  readonly template: string;
  readonly recipient: string;
  readonly userId: string | null;
  readonly variables: Buffer | null;
  readonly bodyId: string | null;
  /** The message to users that the email is a copy of. */
  readonly messageId: string | null;
  /** The name of the user who receives a message. */
  readonly userDisplayName: string | null;
  /** Notification categories that the user has switched off. */
  readonly unwantedCategoryIds: readonly string[];
  /** Attempts so far. */
  readonly attempts: number;
  readonly createdAtMillis: number;
  readonly countsInQuota: boolean;
  /** The recipient is a verified sign-in address. */
  readonly isToVerifiedAccount: boolean;
  /** The subject of a template that the project has changed; null for the built-in one. */
  readonly ownSubject: string | null;
  readonly ownContent: Json | null;
}

export async function insertMail(tx: Transaction, mail: NewMail): Promise<void> {
  const { projectId, userId } = mail;
  // One statement with and without a user: equal duration, so that timing does not reveal accounts (control 13).
  await tx.query(sql`
    insert into mails (project_id, id, template, recipient, variables, created_at_millis, counts_in_quota, user_id)
    select
      ${projectId}, ${mail.id}, ${mail.template}, ${mail.recipient}, ${mail.variables}, ${mail.createdAtMillis},
      ${mail.countsInQuota}, whom.id
    from (select ${userId}::uuid as id) whom
    where whom.id is null
      or exists (select from users u where u.project_id = ${projectId} and u.id = whom.id for key share)
  `);
}

/** Inserts one email per recipient with a shared body. The caller must lock the users until the transaction ends. */
export async function insertCopies(
  tx: Transaction,
  projectId: string,
  {
    template,
    bodyId,
    messageId,
    countsInQuota,
    copies,
    createdAtMillis,
  }: {
    template: string;
    bodyId: string;
    messageId: string | null;
    countsInQuota: boolean;
    copies: readonly { id: string; userId: string; recipient: string }[];
    createdAtMillis: number;
  },
): Promise<void> {
  await tx.query(sql`
    insert into mails (
      project_id, id, template, recipient, created_at_millis, user_id, body_id, message_id, counts_in_quota
    )
    select
      ${projectId}, copy.id, ${template}, copy.recipient, ${createdAtMillis}, copy.user_id, ${bodyId}, ${messageId},
      ${countsInQuota}
    from unnest(
      ${copies.map(({ id }) => id)}::uuid[], ${copies.map(({ userId }) => userId)}::uuid[],
      ${copies.map(({ recipient }) => recipient)}::text[]
    ) copy (id, user_id, recipient)
  `);
}

export async function insertBody(
  tx: Transaction,
  projectId: string,
  { id, encrypted }: { id: string; encrypted: Buffer },
): Promise<void> {
  await tx.query(sql`insert into mail_bodies (project_id, id, sealed) values (${projectId}, ${id}, ${encrypted})`);
}

export async function selectBody(db: Queryable, projectId: string, id: string): Promise<Buffer | undefined> {
  const [row] = await db.query<{ encrypted: Buffer }>(sql`
    select sealed as encrypted from mail_bodies where project_id = ${projectId} and id = ${id}
  `);
  return row?.encrypted;
}

/** Removes the copies of a message from the queue. @returns their number */
export async function deleteMessageCopies(tx: Transaction, projectId: string, messageId: string): Promise<number> {
  const rows = await tx.query(sql`
    delete from mails where project_id = ${projectId} and message_id = ${messageId} returning id
  `);
  return rows.length;
}

/** Deletes bodies whose emails are all delivered or deleted. */
export async function deleteUnusedBodies(tx: Transaction, projectId: string): Promise<void> {
  await tx.query(sql`
    delete from mail_bodies b where project_id = ${projectId}
      and not exists (select from mails m where m.project_id = ${projectId} and m.body_id = b.id)
  `);
}

export interface MailId {
  readonly projectId: string;
  readonly id: string;
}

/** @returns for each email; undefined when it has left the queue */
export async function selectMails(db: Queryable, mails: readonly MailId[]): Promise<(MailRow | undefined)[]> {
  const rows = await db.query<MailRow & { place: number }>(sql`
    select given.place, m.template, recipient, user_id as "userId", variables, body_id as "bodyId",
      message_id as "messageId", (
        select u.display_name from users u where u.project_id = m.project_id and u.id = m.user_id
      ) as "userDisplayName", array(
        select n.category_id::text from notification_preferences n
        where n.project_id = m.project_id and n.user_id = m.user_id and not n.is_enabled
      ) as "unwantedCategoryIds", attempts, created_at_millis as "createdAtMillis", counts_in_quota as "countsInQuota", (
        select count(*) > 0 from contact_channels c
        where c.project_id = m.project_id and c.type = 'email' and c.value = m.recipient and c.used_for_auth
          and c.is_verified
      ) as "isToVerifiedAccount", t.subject as "ownSubject", t.content as "ownContent"
    from unnest(
      (select ${mails.map(({ projectId }) => projectId)}::text[]), (select ${mails.map(({ id }) => id)}::uuid[])
    ) with ordinality given (project_id, id, place)
    join mails m on m.project_id = given.project_id and m.id = given.id and m.failed_at_millis is null
    left join email_templates t on t.project_id = m.project_id and t.type = m.template
  `);
  const byPlace = new Map(rows.map(({ place, ...mail }) => [place, mail]));
  return mails.map((_, index) => byPlace.get(index + 1));
}

/** Emails in the queue that outlive their user: they no longer belong to the user. */
export async function keepMails(
  tx: Transaction,
  { projectId, userId, templates }: { projectId: string; userId: string; templates: readonly string[] },
): Promise<void> {
  await tx.query(sql`
    update mails set user_id = null
    where project_id = ${projectId} and user_id = ${userId} and template = any (${templates}::text[])
  `);
}

/** Deletes emails with their variables. The log of sent emails keeps the attempt. */
export async function deleteMails(tx: Transaction, mails: readonly MailId[]): Promise<void> {
  await tx.query(sql`
    delete from mails m
    using unnest(
      (select ${mails.map(({ projectId }) => projectId)}::text[]), (select ${mails.map(({ id }) => id)}::uuid[])
    ) given (project_id, id)
    where m.project_id = given.project_id and m.id = given.id
  `);
}

/** Counts an attempt that is followed by another one. */
export async function countMailAttempt(
  tx: Transaction,
  { projectId, id }: MailId,
  { nextAttemptAtMillis }: { readonly nextAttemptAtMillis: number },
): Promise<void> {
  await tx.query(sql`
    update mails set attempts = attempts + 1, next_attempt_at_millis = ${nextAttemptAtMillis}
    where project_id = ${projectId} and id = ${id}
  `);
}

/** Records when a postponed email is tried. */
export async function updateNextAttempt(
  tx: Transaction,
  { projectId, id }: MailId,
  nextAttemptAtMillis: number,
): Promise<void> {
  await tx.query(sql`
    update mails set next_attempt_at_millis = ${nextAttemptAtMillis} where project_id = ${projectId} and id = ${id}
  `);
}

export interface SentMail {
  readonly projectId: string;
  readonly id: string;
  readonly recipients: readonly string[];
  /** Encrypted. */
  readonly subject: Buffer;
  readonly senderConfig: object;
  readonly error: object | null;
  readonly sentAtMillis: number;
  /** The receiving user, if any. */
  readonly userId?: string | null;
  readonly messageId?: string | null;
  readonly template?: string | null;
  /** The email of the queue; null for an email that was never in it. */
  readonly mailId?: string | null;
  /** What becomes of the email in the queue: another attempt follows, it is deleted, or it is kept to be sent again. */
  readonly then?: 'retry' | 'delete' | 'keep';
}

/** A part of the statement below for failed emails, which are few: all others are spared its work. */
const keeping = sql`
  , kept as (
    update mails m set failed_at_millis = given.sent_at_millis, next_attempt_at_millis = null
    from given where m.project_id = given.project_id and m.id = given.mail_id and given.afterwards = 'keep'
  )
`;

/**
 * Inserts one row per attempt, none for a deleted project, counts the accepted copies of messages, and deletes or keeps the
 * emails that the attempts end.
 */
export async function insertSentMails(tx: Queryable, sent: readonly SentMail[]): Promise<void> {
  await tx.query(sql`
    with given as (
      select * from unnest(
        (select ${sent.map(({ projectId }) => projectId)}::text[]), (select ${sent.map(({ id }) => id)}::uuid[]),
        (select ${sent.map(({ recipients }) => JSON.stringify(recipients))}::json[]),
        (select ${sent.map(({ subject }) => subject)}::bytea[]),
        (select ${sent.map(({ senderConfig }) => JSON.stringify(senderConfig))}::json[]),
        (select ${sent.map(({ error }) => (error === null ? null : JSON.stringify(error)))}::json[]),
        (select ${sent.map(({ sentAtMillis }) => sentAtMillis)}::bigint[]),
        (select ${sent.map(({ userId = null }) => userId)}::uuid[]),
        (select ${sent.map(({ messageId = null }) => messageId)}::uuid[]),
        (select ${sent.map(({ template = null }) => template)}::text[]),
        (select ${sent.map(({ mailId = null }) => mailId)}::uuid[]),
        (select ${sent.map(({ then = 'retry' }) => then)}::text[])
      ) given (
        project_id, id, recipients, subject, sender_config, error, sent_at_millis, user_id, message_id, template, mail_id,
        afterwards
      )
    ), logged as (
      insert into sent_mails (
        project_id, id, recipients, subject, sender_config, error, sent_at_millis, user_id, message_id, template, mail_id
      )
      select
        p.id, given.id, array(select json_array_elements_text(given.recipients)), given.subject, given.sender_config,
        given.error, given.sent_at_millis, given.user_id, given.message_id, given.template, given.mail_id
      from given join projects p on p.id = given.project_id
      for key share of p
    ), accepted as (
      select project_id, message_id, count(*)::integer as copies from given
      where message_id is not null and error is null group by project_id, message_id
    ), locked as (
      -- In one order, so that processes that deliver copies of the same messages do not wait for each other.
      select c.project_id, c.message_id from message_counts c join accepted using (project_id, message_id)
      order by c.project_id, c.message_id for update of c
    ), counted as (
      update message_counts c set accepted = c.accepted + accepted.copies
      from locked join accepted using (project_id, message_id)
      where c.project_id = locked.project_id and c.message_id = locked.message_id
    ) ${sent.some(({ then }) => then === 'keep') ? keeping : sql``}
    delete from mails m using given
    where m.project_id = given.project_id and m.id = given.mail_id and given.afterwards = 'delete'
  `);
}

/** A template that the project has changed. */
export interface OwnTemplate {
  readonly subject: string;
  readonly content: Json;
}

export async function selectOwnTemplate(
  db: Queryable,
  projectId: string,
  type: string,
): Promise<OwnTemplate | undefined> {
  const [row] = await db.query<OwnTemplate>(sql`
    select subject, content from email_templates where project_id = ${projectId} and type = ${type}
  `);
  return row;
}

export async function selectOwnTemplates(
  db: Queryable,
  projectId: string,
): Promise<Map<EmailTemplateType, OwnTemplate>> {
  const rows = await db.query<OwnTemplate & { type: EmailTemplateType }>(sql`
    select type, subject, content from email_templates where project_id = ${projectId}
  `);
  return new Map(rows.map(({ type, ...template }) => [type, template]));
}
