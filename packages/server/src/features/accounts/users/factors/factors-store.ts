import type { Queryable, Transaction } from '../../../../platform/database/database.ts';
import { sql } from '../../../../platform/database/sql.ts';
import type { UserId } from '../row/index.ts';

/**
 * @param change without `from` any hash is replaced; with it only that hash, so that one of two writers succeeds
 * @returns whether the hash was written
 */
export async function setPasswordHash(
  db: Queryable,
  projectId: string,
  userId: string,
  change: { readonly from?: string | null; readonly to: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    update users set password_hash = ${change.to}
    where project_id = ${projectId} and id = ${userId}
      and (${change.from === undefined} or password_hash is not distinct from ${change.from ?? null})
    returning id
  `);
  return rows.length > 0;
}

/** @returns false when it was enabled already, or an update has switched it off */
export async function enableOtp(db: Queryable, projectId: string, userId: string): Promise<boolean> {
  const rows = await db.query(sql`
    update users set otp_auth_enabled = true
    where project_id = ${projectId} and id = ${userId} and not otp_auth_enabled and not otp_auth_refused returning id
  `);
  return rows.length > 0;
}

/**
 * Spends a TOTP step and every earlier one.
 *
 * @param factor.secret the encrypted secret that the step was verified with
 * @returns false when the step, or a later one, is spent already, or the user has another secret now
 */
export async function spendTotpStep(
  db: Queryable,
  { projectId, userId }: UserId,
  { secret, step }: { secret: Buffer; step: number },
): Promise<boolean> {
  const rows = await db.query(sql`
    update users set totp_last_step = ${step}
    where project_id = ${projectId} and id = ${userId} and totp_secret = ${secret}
      and (totp_last_step is null or totp_last_step < ${step})
    returning id
  `);
  return rows.length > 0;
}

/** Removes the second factor with its recovery codes, and lets sign-in by code be enabled again. */
export async function resetSecondFactor(tx: Transaction, { projectId, userId }: UserId): Promise<void> {
  await tx.query(sql`
    update users set totp_secret = null, totp_last_step = null, otp_auth_refused = false, recovery_code_hashes = null,
      recovery_codes_created_at_millis = null
    where project_id = ${projectId} and id = ${userId}
  `);
}

/** Removes the password, and switches sign-in by code off. */
export async function resetFirstFactors(tx: Transaction, { projectId, userId }: UserId): Promise<void> {
  await tx.query(sql`
    update users set password_hash = null, otp_auth_enabled = false where project_id = ${projectId} and id = ${userId}
  `);
}
