import { onlyRow, type Queryable, type Transaction } from '../../platform/database/database.ts';
import { type Statement, sql } from '../../platform/database/sql.ts';
import type { Spent } from '../../platform/rate-limits/index.ts';
import { blocksAddress, deletePasskeys, endPendingFlows, refreshSearch } from '../accounts/users/index.ts';
import { isKnownSource } from './sources-store.ts';

/** A user, and the address block that a request about the user comes from. */
export interface SourcedUser {
  readonly projectId: string;
  readonly userId: string;
  readonly block: string | undefined;
  readonly nowMillis: number;
}

export async function selectPassword(
  db: Queryable,
  user: SourcedUser,
): Promise<{ passwordHash: string | null; isKnownSource: boolean }> {
  const { projectId, userId } = user;
  const [row] = await db.query<{ passwordHash: string | null; isKnownSource: boolean }>(sql`
    select password_hash as "passwordHash", ${isKnownSource(projectId, sql`u.id`, user)} as "isKnownSource"
    from users u where u.project_id = ${projectId} and u.id = ${userId}
  `);
  return row ?? { passwordHash: null, isKnownSource: false };
}

/** The factors of a user, locked until the transaction ends; undefined when there is no such user. */
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

/**
 * Locks a user against everything that refers to the row: no session, key, channel or code is added until the
 * transaction ends.
 *
 * @returns undefined when there is no such user
 */
export async function lockForReset(
  tx: Transaction,
  projectId: string,
  userId: string,
): Promise<{ passwordHash: string | null } | undefined> {
  const [row] = await tx.query<{ passwordHash: string | null }>(sql`
    select password_hash as "passwordHash" from users where project_id = ${projectId} and id = ${userId} for update
  `);
  return row;
}

/**
 * Locks an anonymous user against everything that refers to the row, so that no credential is added until the
 * transaction ends.
 *
 * @returns the verified addresses of the user; undefined when the user is not anonymous any more, or is deleted
 */
export async function lockAnonymousUser(
  tx: Transaction,
  projectId: string,
  userId: string,
): Promise<{ verifiedAddresses: string[] } | undefined> {
  const users = await tx.query(sql`
    select id from users where project_id = ${projectId} and id = ${userId} and is_anonymous for update
  `);
  if (users.length === 0) return undefined;
  const channels = await tx.query<{ value: string }>(sql`
    select value from contact_channels
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and is_verified
  `);
  return { verifiedAddresses: channels.map(({ value }) => value) };
}

interface KeptAddress {
  readonly projectId: string;
  readonly userId: string;
  /** Null keeps no address. */
  readonly address: string | null;
}

/**
 * Deletes all that could sign in to an account, except the password, the sessions and the channel of one address:
 * other channels, passkeys, provider links, pending OAuth flows, the second factor, API keys, open codes and known
 * address blocks. The caller holds the lock of the user row.
 */
async function removeCredentials(tx: Transaction, { projectId, userId, address }: KeptAddress): Promise<void> {
  await deletePasskeys(tx, projectId, userId);
  await endPendingFlows(tx, { projectId, userId });
  await tx.query(sql`delete from oauth_accounts where project_id = ${projectId} and user_id = ${userId}`);
  await tx.query(sql`delete from api_keys where project_id = ${projectId} and user_id = ${userId}`);
  await tx.query(sql`
    delete from one_time_codes
    where project_id = ${projectId} and user_id = ${userId} and kind <> 'unsubscribe'
      and (address is null or address is distinct from ${address})
  `);
  await tx.query(sql`
    delete from contact_channels
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and value is distinct from ${address}
  `);
  await tx.query(sql`
    update users set totp_secret = null, totp_last_step = null, otp_auth_refused = false
    where project_id = ${projectId} and id = ${userId}
  `);
  await tx.query(sql`delete from sign_in_sources where project_id = ${projectId} and user_id = ${userId}`);
}

/** Removes every credential of an anonymous user before an upgrade. The caller ends the sessions. */
export async function removeAnonymousCredentials(tx: Transaction, user: KeptAddress): Promise<void> {
  const { projectId, userId } = user;
  await removeCredentials(tx, user);
  await tx.query(sql`
    update users set password_hash = null, otp_auth_enabled = false where project_id = ${projectId} and id = ${userId}
  `);
  await refreshSearch(tx, projectId, userId);
}

/**
 * Makes one address the only proof of an account (control 56): it becomes primary and verified, and every other
 * credential is deleted. The caller replaces the password and ends the sessions, and holds the lock of the user row. An
 * account with a verified sign-in address loses nothing, in particular not its second factor (control 12).
 */
export async function keepOnlyAddress(
  tx: Transaction,
  { projectId, userId, address }: { projectId: string; userId: string; address: string },
): Promise<void> {
  await removeCredentials(tx, { projectId, userId, address });
  await tx.query(sql`
    update contact_channels set is_primary = true, is_verified = true
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and value = ${address}
  `);
  await refreshSearch(tx, projectId, userId);
}

/** @returns false when it was enabled already, or an update has switched it off */
export async function enableOtp(db: Queryable, projectId: string, userId: string): Promise<boolean> {
  const rows = await db.query(sql`
    update users set otp_auth_enabled = true
    where project_id = ${projectId} and id = ${userId} and not otp_auth_enabled and not otp_auth_refused returning id
  `);
  return rows.length > 0;
}

/** The account that an address signs in to. */
export interface Account {
  readonly userId: string;
  readonly displayName: string | null;
  readonly isVerified: boolean;
  /** An update has switched off sign-in by code. */
  readonly refusesCodes: boolean;
}

/** The query for the account of an address, without locks. */
const accountOf = (projectId: string, address: string) => sql`
  select u.id as "userId", u.display_name as "displayName", c.is_verified as "isVerified",
    u.otp_auth_refused as "refusesCodes"
  from contact_channels c
  join users u on u.project_id = ${projectId} and u.id = c.user_id
  where c.project_id = ${projectId} and c.type = 'email' and c.value = ${address} and c.used_for_auth
    and ${blocksAddress(projectId)}
`;

/** @returns undefined when the address signs in to no account */
export async function selectAccount(db: Queryable, projectId: string, address: string): Promise<Account | undefined> {
  const [account] = await db.query<Account>(accountOf(projectId, address));
  return account;
}

/** As `selectAccount`. The account cannot be deleted until the transaction ends. */
export async function holdAccount(tx: Transaction, projectId: string, address: string): Promise<Account | undefined> {
  const [account] = await tx.query<Account>(sql`${accountOf(projectId, address)} for key share of u`);
  return account;
}

/** The TOTP factor of a user, and what its limits depend on. */
export interface TotpFactor {
  readonly secret: Buffer | null;
  /** An address that signs in to the account, the primary one first. */
  readonly address: string | null;
  /** The account has signed in from the caller's address block recently. */
  readonly isKnownSource: boolean;
}

export async function selectTotpFactor(db: Queryable, attempt: SourcedUser): Promise<TotpFactor> {
  const { projectId, userId } = attempt;
  const [row] = await db.query<TotpFactor>(sql`
    select u.totp_secret as secret, ${isKnownSource(projectId, sql`u.id`, attempt)} as "isKnownSource", (
      select c.value from contact_channels c
      where c.project_id = ${projectId} and c.user_id = u.id and c.type = 'email' and c.used_for_auth
      order by c.is_primary desc, c.created_at_millis, c.id limit 1
    ) as address
    from users u where u.project_id = ${projectId} and u.id = ${userId}
  `);
  return row ?? { secret: null, address: null, isKnownSource: false };
}

/** Everything that a password sign-in reads, in one query. */
export interface PasswordAttempt {
  /** Null when the address signs in to no account. */
  readonly userId: string | null;
  readonly passwordHash: string | null;
  /** The account has signed in from the caller's address block recently. */
  readonly isKnownSource: boolean;
  readonly spent: readonly Spent[];
}

/** @param attempt.spentColumn the column that reads the limits of the attempt */
export async function selectPasswordAttempt(
  db: Queryable,
  attempt: {
    readonly projectId: string;
    readonly address: string;
    readonly block: string | undefined;
    readonly nowMillis: number;
    readonly spentColumn: Statement;
  },
): Promise<PasswordAttempt> {
  const { projectId, address, spentColumn } = attempt;
  const rows = await db.query<PasswordAttempt>(sql`
    select account.user_id as "userId", account.password_hash as "passwordHash",
      ${isKnownSource(projectId, sql`account.user_id`, attempt)} as "isKnownSource", ${spentColumn}
    from (values (1)) one left join (
      select u.id as user_id, u.password_hash from contact_channels c
      join users u on u.project_id = ${projectId} and u.id = c.user_id
      where c.project_id = ${projectId} and c.type = 'email' and c.value = ${address} and c.used_for_auth
    ) account on true
  `);
  return onlyRow(rows);
}

/** Spends a TOTP step and every earlier one. @returns false when the step, or a later one, is spent already */
export async function spendTotpStep(db: Queryable, projectId: string, userId: string, step: number): Promise<boolean> {
  const rows = await db.query(sql`
    update users set totp_last_step = ${step}
    where project_id = ${projectId} and id = ${userId} and (totp_last_step is null or totp_last_step < ${step})
    returning id
  `);
  return rows.length > 0;
}
