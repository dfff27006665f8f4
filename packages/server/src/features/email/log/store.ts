import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { LoggedEmail } from '../store.ts';

/** An attempt with its position in the log. */
export interface LogRow extends LoggedEmail {
  readonly userId: string | null;
  readonly messageId: string | null;
  /** Orders attempts of the same millisecond. */
  readonly number: number;
}

export interface LogPosition {
  readonly sentAtMillis: number;
  readonly number: number;
}

interface LogFilter {
  readonly userId: string | undefined;
  readonly messageId: string | undefined;
  /** A part of an address, in any case. */
  readonly recipient: string | undefined;
  readonly state: 'accepted' | 'failed' | undefined;
}

const columns = sql`
  id, subject, recipients, sent_at_millis as "sentAtMillis", sender_config as "senderConfig", error,
  user_id as "userId", message_id as "messageId", number
`;

/** Newest first, beginning with the attempt at `at`. */
export function selectLogPage(
  db: Queryable,
  projectId: string,
  { filter, at, limit }: { filter: LogFilter; at: LogPosition | undefined; limit: number },
): Promise<LogRow[]> {
  const { userId, messageId, recipient, state } = filter;
  return db.query<LogRow>(sql`
    select ${columns} from sent_mails
    where project_id = ${projectId}
      ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
      ${messageId === undefined ? sql`` : sql`and message_id = ${messageId}`}
      ${recipient === undefined ? sql`` : sql`and strpos(lower(array_to_string(recipients, ' ')), lower(${recipient})) > 0`}
      ${state === undefined ? sql`` : state === 'failed' ? sql`and error is not null` : sql`and error is null`}
      ${at === undefined ? sql`` : sql`and (sent_at_millis, number) <= (${at.sentAtMillis}, ${at.number})`}
    order by sent_at_millis desc, number desc limit ${limit}
  `);
}

export async function selectLogged(db: Queryable, projectId: string, id: string): Promise<LogRow | undefined> {
  const [row] = await db.query<LogRow>(sql`
    select ${columns} from sent_mails where project_id = ${projectId} and id = ${id}
  `);
  return row;
}
