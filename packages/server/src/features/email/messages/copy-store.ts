import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { MessageState } from './store.ts';

/** What became of the copy of a message for one user. */
export interface MessageCopy {
  readonly messageState: MessageState;
  readonly isWaiting: boolean;
  readonly nextAttemptAtMillis: number | null;
  readonly isAccepted: boolean;
}

/** @returns undefined when the message or the user was deleted */
export async function selectCopy(
  db: Queryable,
  projectId: string,
  { messageId, userId }: { readonly messageId: string; readonly userId: string },
): Promise<MessageCopy | undefined> {
  const [row] = await db.query<MessageCopy>(sql`
    select m.state as "messageState", q.id is not null as "isWaiting", q.next_attempt_at_millis as "nextAttemptAtMillis",
      exists (
        select from sent_mails s
        where s.project_id = ${projectId} and s.user_id = ${userId} and s.message_id = ${messageId} and s.error is null
      ) as "isAccepted"
    from messages m join users u on u.project_id = m.project_id and u.id = ${userId}
    left join mails q on q.project_id = m.project_id and q.message_id = m.id and q.user_id = u.id
    where m.project_id = ${projectId} and m.id = ${messageId} limit 1
  `);
  return row;
}
