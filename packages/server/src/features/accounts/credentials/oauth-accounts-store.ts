import type { NewOAuthAccount } from '../../../core/user.ts';
import { type Queryable, type Transaction, violatedConstraint } from '../../../platform/database/database.ts';
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
  account: NewOAuthAccount,
  nowMillis: number,
): Promise<void> {
  const insert = tx.query(sql`
    with marked as (${markOAuthAccounts(user)})
    insert into oauth_accounts (project_id, provider_id, account_id, user_id, email, display_name, created_at_millis)
    values (
      ${user.projectId}, ${account.id}, ${account.accountId}, ${user.userId}, ${account.email},
      ${account.displayName ?? null}, ${nowMillis}
    )
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

/** Deletes the links of the user to one provider, with the stored tokens. @returns how many there were */
export async function deleteOAuthAccountsAt(
  tx: Transaction,
  { projectId, userId }: UserId,
  providerId: string,
): Promise<number> {
  const deleted = await tx.query(sql`
    delete from oauth_accounts where project_id = ${projectId} and user_id = ${userId} and provider_id = ${providerId}
    returning account_id
  `);
  return deleted.length;
}

/** A provider account, for its owner. */
export interface ConnectedAccount {
  readonly providerId: string;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly createdAtMillis: number;
}

/** The provider accounts of a user, oldest first. */
export function selectConnectedAccounts(db: Queryable, { projectId, userId }: UserId): Promise<ConnectedAccount[]> {
  return db.query<ConnectedAccount>(sql`
    select provider_id as "providerId", display_name as "displayName", email, created_at_millis as "createdAtMillis"
    from oauth_accounts where project_id = ${projectId} and user_id = ${userId}
    order by created_at_millis, provider_id, account_id
  `);
}
