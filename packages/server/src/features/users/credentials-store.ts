import type { Transaction } from '../../platform/db.ts';
import { sql } from '../../platform/sql.ts';

/**
 * Ends the OAuth flows of a user: those on their way to a provider that the user began, and the authorization codes
 * that would sign the user in.
 */
export async function endPendingFlows(
  tx: Transaction,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<void> {
  await tx.query(sql`delete from oauth_flows where project_id = ${projectId} and user_id = ${userId}`);
  await tx.query(sql`delete from oauth_authorization_codes where project_id = ${projectId} and user_id = ${userId}`);
}
