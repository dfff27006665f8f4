import type { Queryable, Transaction } from '../../../../platform/database/database.ts';
import { sql } from '../../../../platform/database/sql.ts';

/** The unused recovery codes of a user. */
export async function selectRecoveryCodes(
  db: Queryable,
  projectId: string,
  userId: string,
): Promise<{ remaining: number; createdAtMillis: number | null }> {
  const [row] = await db.query<{ remaining: number; createdAtMillis: number | null }>(sql`
    select coalesce(cardinality(recovery_code_hashes), 0) as remaining,
      recovery_codes_created_at_millis as "createdAtMillis"
    from users where project_id = ${projectId} and id = ${userId}
  `);
  return row ?? { remaining: 0, createdAtMillis: null };
}

/** Replaces the recovery codes. @returns false when the user has no second factor, or does not exist */
export async function replaceRecoveryCodes(
  tx: Transaction,
  projectId: string,
  userId: string,
  { hashes, atMillis }: { hashes: readonly Buffer[]; atMillis: number },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update users set recovery_code_hashes = ${[...hashes]}::bytea[], recovery_codes_created_at_millis = ${atMillis}
    where project_id = ${projectId} and id = ${userId} and totp_secret is not null
    returning id
  `);
  return rows.length > 0;
}

/**
 * Uses up a recovery code. Of concurrent uses of one code the row lock lets one succeed.
 *
 * @returns the number of codes that are left; undefined for a code that the user does not have
 */
export async function spendRecoveryCode(
  tx: Transaction,
  projectId: string,
  userId: string,
  hash: Buffer,
): Promise<number | undefined> {
  const [row] = await tx.query<{ remaining: number }>(sql`
    update users set recovery_code_hashes = array_remove(recovery_code_hashes, ${hash}::bytea)
    where project_id = ${projectId} and id = ${userId} and totp_secret is not null
      and ${hash}::bytea = any(recovery_code_hashes)
    returning cardinality(recovery_code_hashes) as remaining
  `);
  return row?.remaining;
}
