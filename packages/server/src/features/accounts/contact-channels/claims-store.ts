import { type Transaction, violatedConstraint } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { recordAudit } from '../../audit/index.ts';
import { lockUser } from '../users/row/index.ts';

/** The address signs in to another account. */
export class AddressTaken extends Error {
  override readonly name = 'AddressTaken';
}

/**
 * Whether a sign-in channel `c` blocks its address for other accounts. An unverified address beside another sign-in
 * address of the same account, which is verified, the primary one, or older than one that is not primary, does not: it is
 * free for sign-up, and the caller who proves it gets it. So an account without a verified address blocks one address.
 */
export const blocksAddress = (projectId: string) => sql`(
  c.is_verified or not exists (
    select from contact_channels o
    where o.project_id = ${projectId} and o.user_id = c.user_id and o.id <> c.id and o.used_for_auth
      and (
        o.is_verified
        or (not c.is_primary and (o.is_primary or (o.created_at_millis, o.id) < (c.created_at_millis, c.id)))
      )
  )
)`;

/**
 * Takes an address from the account that holds it unverified beside another verified sign-in address, so that another
 * account can sign in with it. The channel stays as a plain contact address. Call it before the new channel is written, in
 * the same transaction.
 *
 * @param claim.userId the account that gets the address; null for a new one
 */
export async function releaseAddress(
  tx: Transaction,
  claim: {
    readonly projectId: string;
    readonly address: string;
    readonly userId: string | null;
    readonly nowMillis: number;
  },
): Promise<void> {
  const { projectId, address, userId, nowMillis } = claim;
  const [holder] = await tx.query<{ id: string }>(sql`
    select c.user_id as id from contact_channels c
    where c.project_id = ${projectId} and c.type = 'email' and c.value = ${address} and c.used_for_auth
      and not c.is_verified and c.user_id is distinct from ${userId}::uuid
  `);
  if (holder === undefined) return;
  // The lock of every writer of channels: the other address stays verified until the commit.
  await lockUser(tx, { projectId, userId: holder.id }, 'change');
  const released = await tx.query(sql`
    update contact_channels c set used_for_auth = false
    where c.project_id = ${projectId} and c.user_id = ${holder.id} and c.type = 'email' and c.value = ${address}
      and c.used_for_auth and not ${blocksAddress(projectId)}
    returning c.id
  `);
  if (released.length === 0) return;
  await recordAudit(tx, {
    projectId,
    action: 'factor.address_changed',
    actor: { type: 'system', id: null },
    userId: holder.id,
    details: { reason: 'another account claimed the unverified address' },
    atMillis: nowMillis,
  });
}

/**
 * Releases the address of a channel that is about to be written, when it is verified and for sign-in: a user who has proved
 * an address takes it from an account with another verified sign-in address.
 */
export async function claimAddress(
  tx: Transaction,
  user: { readonly projectId: string; readonly userId: string; readonly nowMillis: number },
  channel: { readonly value: string; readonly isVerified: boolean; readonly usedForAuth: boolean },
): Promise<void> {
  if (channel.isVerified && channel.usedForAuth) await releaseAddress(tx, { ...user, address: channel.value });
}

/** Turns the violated constraint into AddressTaken. */
export function throwAddressTaken(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint === 'contact_channels_used_for_auth')
    throw new AddressTaken('the address signs in to another account');
  throw error;
}
