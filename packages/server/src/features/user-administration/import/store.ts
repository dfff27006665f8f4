import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { blocksAddress } from '../../accounts/contact-channels/index.ts';

/**
 * The users whose address is one of the given ones, by address: it signs in to them, or it is their primary address. Where
 * several users have an address, the one who signs in with it comes first, then the oldest.
 *
 * A user who adds an unverified address has not proved it, and must not get what an import has for its owner. So an
 * unverified address counts only where it blocks a sign-up, or where its user has no other way to sign in.
 *
 * @param accounts provider accounts of the imported user. They are no other way to sign in
 */
export async function selectAddressOwners(
  db: Queryable,
  projectId: string,
  addresses: readonly string[],
  accounts: readonly ProviderAccount[] = [],
): Promise<ReadonlyMap<string, string>> {
  if (addresses.length === 0) return new Map();
  const rows = await db.query<{ address: string; userId: string }>(sql`
    select distinct on (address) address, "userId" from (
      select c.value as address, c.user_id as "userId", c.used_for_auth, c.created_at_millis
      from contact_channels c
      where c.project_id = ${projectId} and c.type = 'email' and c.value = any(${[...addresses]}) and c.used_for_auth
        and ${blocksAddress(projectId)}
      union all
      select c.value, c.user_id, c.used_for_auth, c.created_at_millis
      from contact_channels c
      where c.project_id = ${projectId} and c.type = 'email' and c.value = any(${[...addresses]}) and c.is_primary
        and not c.used_for_auth and (c.is_verified or not ${signsInOtherwise(projectId, accounts)})
    ) owners
    order by address, used_for_auth desc, created_at_millis, "userId"
  `);
  return new Map(rows.map(({ address, userId }) => [address, userId]));
}

interface ProviderAccount {
  readonly id: string;
  readonly accountId: string;
}

/** Whether the user of a channel `c` can sign in with an address, a passkey, or a provider account not in `accounts`. */
const signsInOtherwise = (projectId: string, accounts: readonly ProviderAccount[]) => sql`(
  exists (
    select from contact_channels o where o.project_id = ${projectId} and o.user_id = c.user_id and o.used_for_auth
  )
  or exists (select from passkeys p where p.project_id = ${projectId} and p.user_id = c.user_id)
  or exists (
    select from oauth_accounts a
    where a.project_id = ${projectId} and a.user_id = c.user_id and (a.provider_id, a.account_id) not in (
      select * from unnest(${accounts.map(({ id }) => id)}::text[], ${accounts.map(({ accountId }) => accountId)}::text[])
    )
  )
)`;

/** Locks an address for other imports until the transaction ends. No constraint covers addresses that do not sign in. */
export async function lockAddress(tx: Transaction, projectId: string, address: string): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtext('imported address'), hashtext(${`${projectId} ${address}`}))`,
  );
}
