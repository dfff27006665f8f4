import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { holdRole } from '../projects/index.ts';

/** Ends the sessions that a person has opened for users, in all projects. */
export async function deleteOpenedSessions(tx: Transaction, ownerId: string): Promise<void> {
  await tx.query(sql`delete from sessions where opener_id = ${ownerId}`);
}

/**
 * Whether a person may open sessions in a project. In a transaction the answer holds until the transaction ends: the end
 * of the access waits, and then finds the new session.
 */
export async function holdAccess(db: Queryable, person: Parameters<typeof holdRole>[1]): Promise<boolean> {
  const role = await holdRole(db, person);
  return role === 'owner' || role === 'admin';
}

/** The end of the open session of a person; undefined when it has ended. In a transaction it stays open. */
export async function holdOwnerSession(
  db: Queryable,
  session: { readonly ownerId: string; readonly ownerSessionId: string; readonly nowMillis: number },
): Promise<number | undefined> {
  const [row] = await db.query<{ expiresAtMillis: number }>(sql`
    select expires_at_millis as "expiresAtMillis" from sessions
    where project_id = 'internal' and id = ${session.ownerSessionId} and user_id = ${session.ownerId}
      and expires_at_millis > ${session.nowMillis}
    for key share
  `);
  return row?.expiresAtMillis;
}
