import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { blocksAddress } from '../../accounts/contact-channels/index.ts';

/**
 * The users whose address is one of the given ones, by address: it signs in to them, or it is their primary address. Where
 * several users have an address, the one who signs in with it comes first, then the oldest.
 */
export async function selectAddressOwners(
  db: Queryable,
  projectId: string,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (addresses.length === 0) return new Map();
  const rows = await db.query<{ address: string; userId: string }>(sql`
    select distinct on (address) address, "userId" from (
      select c.value as address, c.user_id as "userId", c.used_for_auth, c.created_at_millis
      from contact_channels c
      where c.project_id = ${projectId} and c.type = 'email' and c.value = any(${[...addresses]}) and c.used_for_auth
        and (c.is_primary or ${blocksAddress(projectId)})
      union all
      select c.value, c.user_id, c.used_for_auth, c.created_at_millis
      from contact_channels c
      where c.project_id = ${projectId} and c.type = 'email' and c.value = any(${[...addresses]}) and c.is_primary
        and not c.used_for_auth
    ) owners
    order by address, used_for_auth desc, created_at_millis, "userId"
  `);
  return new Map(rows.map(({ address, userId }) => [address, userId]));
}

/** Locks an address for other imports until the transaction ends. No constraint covers addresses that do not sign in. */
export async function lockAddress(tx: Transaction, projectId: string, address: string): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtext('imported address'), hashtext(${`${projectId} ${address}`}))`,
  );
}
