import type { PagePosition } from '../../../core/page-cursor.ts';
import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { MailId } from './store.ts';

/** An email that waits for its next attempt. */
export interface WaitingMail extends PagePosition {
  readonly template: string;
  readonly recipient: string;
  readonly userId: string | null;
  readonly messageId: string | null;
  /** Attempts so far. */
  readonly attempts: number;
  /** Null while it waits for its first attempt without a postponement. */
  readonly nextAttemptAtMillis: number | null;
}

/** Newest first. */
export function selectWaitingPage(
  db: Queryable,
  projectId: string,
  { at, limit }: { readonly at: PagePosition | undefined; readonly limit: number },
): Promise<WaitingMail[]> {
  return db.query<WaitingMail>(sql`
    select id, created_at_millis as "atMillis", template, recipient, user_id as "userId", message_id as "messageId",
      attempts, next_attempt_at_millis as "nextAttemptAtMillis"
    from mails
    where project_id = ${projectId} and failed_at_millis is null
      ${at === undefined ? sql`` : sql`and (created_at_millis, id) <= (${at.atMillis}, ${at.id}::uuid)`}
    order by created_at_millis desc, id desc limit ${limit}
  `);
}

/** An email that has not been accepted. */
export interface UnsentMail {
  /** It waits for its next attempt; otherwise it failed and is kept. */
  readonly isWaiting: boolean;
  readonly nextAttemptAtMillis: number | null;
}

export async function selectUnsent(db: Queryable, { projectId, id }: MailId): Promise<UnsentMail | undefined> {
  const [row] = await db.query<UnsentMail>(sql`
    select failed_at_millis is null as "isWaiting", next_attempt_at_millis as "nextAttemptAtMillis"
    from mails where project_id = ${projectId} and id = ${id}
  `);
  return row;
}

/**
 * Returns a failed email to the queue. An email that the project wrote to a user goes to the user's present address, a notice
 * to the address that it is about.
 *
 * @returns undefined when it is not kept or already in the queue
 */
export async function requeueMail(
  tx: Transaction,
  { projectId, id }: MailId,
): Promise<{ readonly bodyId: string | null } | undefined> {
  const [row] = await tx.query<{ bodyId: string | null }>(sql`
    update mails m set failed_at_millis = null, attempts = 0, recipient = coalesce((
        select c.value from contact_channels c
        where m.body_id is not null and c.project_id = m.project_id and c.user_id = m.user_id and c.type = 'email'
          and c.is_primary
      ), m.recipient)
    where m.project_id = ${projectId} and m.id = ${id} and m.failed_at_millis is not null
    returning m.body_id as "bodyId"
  `);
  return row;
}
