import type { Queryable, Transaction } from '../db.ts';
import { sql } from '../sql.ts';

export interface NewMail {
  readonly projectId: string;
  readonly id: string;
  readonly template: string;
  readonly recipient: string;
  /** Encrypted. */
  readonly variables: Buffer;
  readonly createdAtMillis: number;
}

export interface MailRow {
  readonly template: string;
  readonly recipient: string;
  readonly variables: Buffer | null;
  /** Those that were made already. */
  readonly attempts: number;
}

export async function insertMail(tx: Transaction, mail: NewMail): Promise<void> {
  await tx.query(sql`
    insert into mails (project_id, id, template, recipient, variables, created_at_millis)
    values (${mail.projectId}, ${mail.id}, ${mail.template}, ${mail.recipient}, ${mail.variables}, ${mail.createdAtMillis})
  `);
}

export async function selectMail(db: Queryable, projectId: string, id: string): Promise<MailRow | undefined> {
  const [row] = await db.query<MailRow>(sql`
    select template, recipient, variables, attempts from mails where project_id = ${projectId} and id = ${id}
  `);
  return row;
}

/** What was in it is gone with it; the log knows that there was one. */
export async function deleteMail(tx: Transaction, projectId: string, id: string): Promise<void> {
  await tx.query(sql`delete from mails where project_id = ${projectId} and id = ${id}`);
}

export async function countMailAttempt(tx: Transaction, projectId: string, id: string): Promise<void> {
  await tx.query(sql`update mails set attempts = attempts + 1 where project_id = ${projectId} and id = ${id}`);
}

export interface SentMail {
  readonly id: string;
  readonly recipients: readonly string[];
  /** Encrypted. */
  readonly subject: Buffer;
  readonly senderConfig: object;
  readonly error: object | null;
  readonly sentAtMillis: number;
}

/** One row for each attempt. */
export async function insertSentMail(tx: Transaction, projectId: string, sent: SentMail): Promise<void> {
  await tx.query(sql`
    insert into sent_mails (project_id, id, recipients, subject, sender_config, error, sent_at_millis)
    values (
      ${projectId}, ${sent.id}, ${sent.recipients}, ${sent.subject}, ${JSON.stringify(sent.senderConfig)},
      ${sent.error === null ? null : JSON.stringify(sent.error)}, ${sent.sentAtMillis}
    )
  `);
}
