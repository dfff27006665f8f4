import type { Transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** Gives a session the authentication time of another one: a copy of a session is not a new sign-in. */
export async function copyAuthenticationTime(
  tx: Transaction,
  projectId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await tx.query(sql`
    update sessions s set authenticated_at_millis = coalesce(origin.authenticated_at_millis, origin.created_at_millis)
    from sessions origin
    where s.project_id = ${projectId} and s.id = ${to} and origin.project_id = ${projectId} and origin.id = ${from}
  `);
}

/** Records that the user of a session has proved the identity again. */
export async function recordReauthentication(
  tx: Transaction,
  projectId: string,
  sessionId: string,
  atMillis: number,
): Promise<void> {
  await tx.query(sql`
    update sessions set authenticated_at_millis = ${atMillis} where project_id = ${projectId} and id = ${sessionId}
  `);
}
