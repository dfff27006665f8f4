import type { Queryable, Transaction } from '../../platform/db.ts';
import { sql } from '../../platform/sql.ts';

export async function selectPasswordHash(db: Queryable, projectId: string, userId: string): Promise<string | null> {
  const [row] = await db.query<{ passwordHash: string | null }>(sql`
    select password_hash as "passwordHash" from users where project_id = ${projectId} and id = ${userId}
  `);
  return row?.passwordHash ?? null;
}

/** What a user has to show, held until the transaction ends; undefined when there is no such user. */
export async function lockFactors(
  tx: Transaction,
  projectId: string,
  userId: string,
): Promise<{ passwordHash: string | null; requiresTotpMfa: boolean } | undefined> {
  const [row] = await tx.query<{ passwordHash: string | null; requiresTotpMfa: boolean }>(sql`
    select password_hash as "passwordHash", totp_secret is not null as "requiresTotpMfa"
    from users where project_id = ${projectId} and id = ${userId} for no key update
  `);
  return row;
}

/** Holds an anonymous user until the transaction ends. @returns false for one who is somebody by now, or gone */
export async function lockAnonymousUser(tx: Transaction, projectId: string, userId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select id from users where project_id = ${projectId} and id = ${userId} and is_anonymous for no key update
  `);
  return rows.length > 0;
}

export async function hasVerifiedAddress(db: Queryable, projectId: string, userId: string): Promise<boolean> {
  const rows = await db.query(sql`
    select id from contact_channels where project_id = ${projectId} and user_id = ${userId} and is_verified limit 1
  `);
  return rows.length > 0;
}

/** Takes away every way in but the password: links to providers and the second factor. */
export async function removeForeignCredentials(tx: Transaction, projectId: string, userId: string): Promise<void> {
  await tx.query(sql`delete from oauth_accounts where project_id = ${projectId} and user_id = ${userId}`);
  await tx.query(sql`
    update users set totp_secret = null, totp_last_step = null where project_id = ${projectId} and id = ${userId}
  `);
}

export async function enableOtp(db: Queryable, projectId: string, userId: string): Promise<void> {
  await db.query(sql`
    update users set otp_auth_enabled = true
    where project_id = ${projectId} and id = ${userId} and not otp_auth_enabled
  `);
}

/** Whose address it is that signs in, and whether it is verified. */
export async function selectAccount(
  db: Queryable,
  projectId: string,
  address: string,
): Promise<{ userId: string; isVerified: boolean } | undefined> {
  const [row] = await db.query<{ userId: string; isVerified: boolean }>(sql`
    select c.user_id as "userId", c.is_verified as "isVerified" from contact_channels c
    where c.project_id = ${projectId} and c.type = 'email' and c.value = ${address} and c.used_for_auth
  `);
  return row;
}

/** Whose address it is that signs in, kept from being deleted until the transaction ends. */
export async function holdAccount(
  tx: Transaction,
  projectId: string,
  address: string,
): Promise<{ userId: string; displayName: string | null } | undefined> {
  const [row] = await tx.query<{ userId: string; displayName: string | null }>(sql`
    select u.id as "userId", u.display_name as "displayName" from contact_channels c
    join users u on u.project_id = ${projectId} and u.id = c.user_id
    where c.project_id = ${projectId} and c.type = 'email' and c.value = ${address} and c.used_for_auth
    for key share of u
  `);
  return row;
}

export async function selectTotpSecret(db: Queryable, projectId: string, userId: string): Promise<Buffer | null> {
  const [row] = await db.query<{ totpSecret: Buffer | null }>(sql`
    select totp_secret as "totpSecret" from users where project_id = ${projectId} and id = ${userId}
  `);
  return row?.totpSecret ?? null;
}

/** A step counts once, and none before it afterwards. @returns false when it has counted already */
export async function spendTotpStep(db: Queryable, projectId: string, userId: string, step: number): Promise<boolean> {
  const rows = await db.query(sql`
    update users set totp_last_step = ${step}
    where project_id = ${projectId} and id = ${userId} and (totp_last_step is null or totp_last_step < ${step})
    returning id
  `);
  return rows.length > 0;
}
