import type { Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/**
 * Ends the OAuth flows of a user: links that the user has begun, and unused authorization codes that would sign the
 * user in. Used codes stay, so that a second use is detected (control 50).
 */
export async function endPendingFlows(
  tx: Transaction,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<void> {
  await tx.query(sql`delete from oauth_flows where project_id = ${projectId} and user_id = ${userId}`);
  await tx.query(sql`
    delete from oauth_authorization_codes
    where project_id = ${projectId} and user_id = ${userId} and used_at_millis is null
  `);
}
