import type { OAuthAccount } from '../../../core/user.ts';
import { type Transaction, violatedConstraint } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { markOAuthAccounts, type UserId } from '../users/row/index.ts';

/** The provider account belongs to another user. */
export class ProviderAccountTaken extends Error {
  override readonly name = 'ProviderAccountTaken';
}

/** @throws ProviderAccountTaken */
export async function insertOAuthAccount(
  tx: Transaction,
  user: UserId,
  account: OAuthAccount,
  nowMillis: number,
): Promise<void> {
  const insert = tx.query(sql`
    with marked as (${markOAuthAccounts(user)})
    insert into oauth_accounts (project_id, provider_id, account_id, user_id, email, created_at_millis)
    values (${user.projectId}, ${account.id}, ${account.accountId}, ${user.userId}, ${account.email}, ${nowMillis})
  `);
  await insert.catch((error: unknown) => {
    if (violatedConstraint(error) !== 'oauth_accounts_identity') throw error;
    throw new ProviderAccountTaken('the account at the provider belongs to another user');
  });
}

/** Deletes all provider links of the user. */
export async function deleteOAuthAccounts(tx: Transaction, { projectId, userId }: UserId): Promise<void> {
  await tx.query(sql`delete from oauth_accounts where project_id = ${projectId} and user_id = ${userId}`);
}
