import type { EmailTemplateType, Json } from '@tessera/protocol';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { OwnTemplate } from './queue/store.ts';
import type { Addressee } from './rules.ts';

/** The receiving users by id, locked until the transaction ends. */
export async function lockAddressees(
  tx: Transaction,
  projectId: string,
  { userIds, categoryId }: { userIds: readonly string[]; categoryId: string },
): Promise<Map<string, Addressee>> {
  const rows = await tx.query<Addressee>(sql`
    select u.id, c.value as "primaryEmail", p.is_enabled as "isWanted"
    from users u
    left join contact_channels c
      on c.project_id = ${projectId} and c.user_id = u.id and c.type = 'email' and c.is_primary
    left join notification_preferences p
      on p.project_id = ${projectId} and p.user_id = u.id and p.category_id = ${categoryId}
    where u.project_id = ${projectId} and u.id = any(${[...userIds]}::uuid[])
    for key share of u
  `);
  return new Map(rows.map(addressee => [addressee.id, addressee]));
}

/** Stores the given parts. A missing part keeps its value or gets the default. @returns undefined for a deleted project */
export async function saveTemplate(
  db: Queryable,
  projectId: string,
  type: EmailTemplateType,
  { subject, content, otherwise }: { subject: string | undefined; content: Json | undefined; otherwise: OwnTemplate },
): Promise<OwnTemplate | undefined> {
  const givenContent = content === undefined ? null : JSON.stringify(content);
  const [row] = await db.query<OwnTemplate>(sql`
    insert into email_templates as own (project_id, type, subject, content)
    select
      id, ${type}, coalesce(${subject ?? null}::text, ${otherwise.subject}),
      coalesce(${givenContent}::json, ${JSON.stringify(otherwise.content)}::json)
    from projects where id = ${projectId} for key share
    on conflict (project_id, type) do update set
      subject = coalesce(${subject ?? null}::text, own.subject), content = coalesce(${givenContent}::json, own.content)
    returning subject, content
  `);
  return row;
}

/** @returns false when the project had no template of this type */
export async function deleteTemplate(db: Queryable, projectId: string, type: EmailTemplateType): Promise<boolean> {
  const rows = await db.query(sql`
    delete from email_templates where project_id = ${projectId} and type = ${type} returning type
  `);
  return rows.length > 0;
}

/** An attempt to send an email. */
export interface LoggedEmail {
  readonly id: string;
  /** Encrypted. */
  readonly subject: Buffer;
  readonly recipients: readonly string[];
  readonly sentAtMillis: number;
  readonly senderConfig: SenderConfig;
  readonly error: Json;
}

/** The mail server of a logged email, in the format of the wire. */
export interface SenderConfig {
  readonly type: 'shared' | 'standard';
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly sender_name: string;
  readonly sender_email: string;
}

/** Newest first. */
export function selectLog(db: Queryable, projectId: string, limit: number): Promise<LoggedEmail[]> {
  return db.query<LoggedEmail>(sql`
    select id, subject, recipients, sent_at_millis as "sentAtMillis", sender_config as "senderConfig", error
    from sent_mails where project_id = ${projectId}
    order by sent_at_millis desc, number desc limit ${limit}
  `);
}

export interface FailedEmail {
  readonly projectId: string;
  /** Encrypted. */
  readonly subject: Buffer;
  readonly recipients: readonly string[];
  /** Number of failed emails of the project. */
  readonly count: number;
}

/** The failed attempts of each project, newest first, at most `perProject` per project. */
export function selectFailed(
  db: Queryable,
  { sinceMillis, perProject }: { sinceMillis: number; perProject: number },
): Promise<FailedEmail[]> {
  return db.query<FailedEmail>(sql`
    select failed.project_id as "projectId", failed.subject, failed.recipients, failed.count
    from (
      select
        s.project_id, s.subject, s.recipients, count(*) over (partition by s.project_id),
        row_number() over (partition by s.project_id order by s.sent_at_millis desc, s.number desc) as place
      from sent_mails s join projects p on p.id = s.project_id and p.deleted_at_millis is null
      where s.error is not null and s.sent_at_millis > ${sinceMillis}
    ) failed
    where failed.place <= ${perProject}
    order by failed.project_id, failed.place
  `);
}
