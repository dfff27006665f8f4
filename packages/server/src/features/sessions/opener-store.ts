import type { InvitedRole, ProjectRole } from '@tessera/protocol';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** Ends the sessions that a person has opened for users, in all projects. */
export async function deleteOpenedSessions(tx: Transaction, ownerId: string): Promise<void> {
  await tx.query(sql`delete from sessions where opener_id = ${ownerId}`);
}

/** A person with access to a project, a user of `internal`. */
interface Person {
  readonly projectId: string;
  readonly ownerId: string;
}

/**
 * Whether a person may open sessions in a project. In a transaction the answer holds until the transaction ends: the end
 * of the access waits, and then finds the new session.
 */
export async function holdAccess(db: Queryable, person: Person): Promise<boolean> {
  const role = await holdRole(db, person);
  return role === 'owner' || role === 'admin';
}

/**
 * The role of a person in a project; undefined without a role, and for a suspended account. In a transaction the role
 * stays until the transaction ends.
 */
export async function holdRole(db: Queryable, { projectId, ownerId }: Person): Promise<ProjectRole | undefined> {
  const [account] = await db.query<{ isOwner: boolean }>(sql`
    select coalesce(
      server_metadata::jsonb -> 'managedProjectIds' @> ${JSON.stringify([projectId])}::jsonb, false
    ) as "isOwner"
    from users where project_id = 'internal' and id = ${ownerId} and suspended_at_millis is null for share
  `);
  if (account === undefined) return undefined;
  if (account.isOwner) return 'owner';
  const [membership] = await db.query<{ role: InvitedRole }>(sql`
    select role from project_members where project_id = ${projectId} and user_id = ${ownerId} for share
  `);
  return membership?.role;
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
