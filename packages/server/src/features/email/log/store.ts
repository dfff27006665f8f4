import type { PagePosition } from '../../../core/page-cursor.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { LoggedEmail } from '../store.ts';

/** An attempt with its position in the log. */
export interface LogRow extends LoggedEmail {
  readonly userId: string | null;
  readonly messageId: string | null;
  /** Null for a test email, and in entries of earlier versions. */
  readonly template: string | null;
  /** The email in the queue, if it still exists. */
  readonly mailId: string | null;
  /** Orders attempts of the same millisecond. */
  readonly number: number;
}

export interface LogFilter {
  readonly userId: string | undefined;
  readonly messageId: string | undefined;
  /** A part of an address, in any case. */
  readonly recipient: string | undefined;
  readonly state: 'accepted' | 'failed' | undefined;
}

const columns = sql`
  id, subject, recipients, sent_at_millis as "sentAtMillis", sender_config as "senderConfig", error,
  user_id as "userId", message_id as "messageId", template, mail_id as "mailId", number
`;

interface LogListing {
  readonly filter: LogFilter;
  /** The first attempt that is read; undefined for the first page. */
  readonly at: PagePosition | undefined;
  /** Attempts that are read at most. */
  readonly readMax: number;
}

/** The matching ones of the next `readMax` attempts, newest first. No index finds a part of an address. */
export function selectLogPage(
  db: Queryable,
  projectId: string,
  listing: LogListing & { readonly limit: number },
): Promise<LogRow[]> {
  const { recipient, state } = listing.filter;
  return db.query<LogRow>(sql`
    select ${columns}
    from (
      select * from sent_mails where ${isInLog(projectId, listing)}
      order by sent_at_millis desc, number desc limit ${listing.readMax}
    ) read
    where true
      ${recipient === undefined ? sql`` : sql`and strpos(lower(array_to_string(recipients, ' ')), lower(${recipient})) > 0`}
      ${state === undefined ? sql`` : state === 'failed' ? sql`and error is not null` : sql`and error is null`}
    order by sent_at_millis desc, number desc limit ${listing.limit}
  `);
}

/** The first attempt behind those that `selectLogPage` reads; undefined when it reads the last one. */
export async function selectPositionBehind(
  db: Queryable,
  projectId: string,
  listing: LogListing,
): Promise<PagePosition | undefined> {
  const [behind] = await db.query<PagePosition>(sql`
    select sent_at_millis as "atMillis", number::text as id from sent_mails where ${isInLog(projectId, listing)}
    order by sent_at_millis desc, number desc offset ${listing.readMax} limit 1
  `);
  return behind;
}

/** What an index decides: project, user, message and place. */
function isInLog(projectId: string, { filter: { userId, messageId }, at }: LogListing) {
  return sql`project_id = ${projectId}
    ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
    ${messageId === undefined ? sql`` : sql`and message_id = ${messageId}`}
    ${at === undefined ? sql`` : sql`and (sent_at_millis, number) <= (${at.atMillis}, ${at.id}::bigint)`}`;
}

export async function selectLogged(db: Queryable, projectId: string, id: string): Promise<LogRow | undefined> {
  const [row] = await db.query<LogRow>(sql`
    select ${columns} from sent_mails where project_id = ${projectId} and id = ${id}
  `);
  return row;
}
