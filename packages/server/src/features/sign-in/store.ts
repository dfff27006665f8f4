import { onlyRow, type Queryable, type Transaction } from '../../platform/database/database.ts';
import { type Statement, sql } from '../../platform/database/sql.ts';
import type { Spent } from '../../platform/rate-limits/index.ts';
import { blocksAddress } from '../accounts/contact-channels/index.ts';
import { isKnownSource, isRecordedSource } from './sources-store.ts';

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

/** Whether an email code for an address signs in to a user. The address may have left the account meanwhile (control 21). */
export async function acceptsCode(
  db: Queryable,
  { projectId, userId, address }: { projectId: string; userId: string; address: string },
): Promise<boolean> {
  const account = await selectAccount(db, projectId, address);
  return account?.userId === userId && account.isVerified && !account.refusesCodes;
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
  /** The sign-in from this address block was recorded recently, so it is not recorded again. */
  readonly isRecordedSource: boolean;
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
      ${isKnownSource(projectId, sql`account.user_id`, attempt)} as "isKnownSource",
      ${isRecordedSource(projectId, sql`account.user_id`, attempt)} as "isRecordedSource", ${spentColumn}
    from (values (1)) one left join (
      select u.id as user_id, u.password_hash from contact_channels c
      join users u on u.project_id = ${projectId} and u.id = c.user_id
      where c.project_id = ${projectId} and c.type = 'email' and c.value = ${address} and c.used_for_auth
    ) account on true
  `);
  return onlyRow(rows);
}
