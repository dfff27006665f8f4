import { randomUUID } from 'node:crypto';
import type { Json } from '@tessera/protocol';
import { onlyRow, type Queryable, type Transaction, violatedConstraint } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { recordAudit } from '../../audit/index.ts';

/** A user with the primary address, as the pipeline loads it for each request. */
export interface CallUser {
  readonly id: string;
  readonly displayName: string | null;
  readonly profileImageUrl: string | null;
  readonly clientMetadata: Json;
  readonly clientReadOnlyMetadata: Json;
  readonly serverMetadata: Json;
  readonly hasPassword: boolean;
  readonly otpAuthEnabled: boolean;
  readonly hasPasskey: boolean;
  readonly requiresTotpMfa: boolean;
  readonly isAnonymous: boolean;
  readonly signedUpAtMillis: number;
  readonly primaryEmail: string | null;
  readonly primaryEmailVerified: boolean;
  readonly primaryEmailAuthEnabled: boolean;
  readonly oauthAccounts: readonly OAuthAccount[];
  readonly selectedTeam: SelectedTeam | null;
}

/** A user with the fields that servers see. */
export interface User extends CallUser {
  readonly lastActiveAtMillis: number;
}

/** An account at an OAuth provider. */
export interface OAuthAccount {
  /** The id of the provider. */
  readonly id: string;
  readonly accountId: string;
  readonly email: string | null;
}

/** The selected team of a user. */
export interface SelectedTeam {
  readonly id: string;
  readonly displayName: string;
  readonly profileImageUrl: string | null;
  readonly clientMetadata: Json;
  readonly clientReadOnlyMetadata: Json;
  readonly serverMetadata: Json;
  readonly createdAtMillis: number;
}

/** The address signs in to another account. */
export class AddressTaken extends Error {
  override readonly name = 'AddressTaken';
}

/** The provider account belongs to another user. */
export class ProviderAccountTaken extends Error {
  override readonly name = 'ProviderAccountTaken';
}

/** The columns of a `CallUser`, from table `users` as `u`. Subqueries run only for users who have such rows. */
const callUserColumns = sql`
  u.id,
  u.display_name as "displayName",
  u.profile_image_url as "profileImageUrl",
  u.client_metadata as "clientMetadata",
  u.client_read_only_metadata as "clientReadOnlyMetadata",
  u.server_metadata as "serverMetadata",
  u.password_hash is not null as "hasPassword",
  u.otp_auth_enabled as "otpAuthEnabled",
  u.has_passkey as "hasPasskey",
  u.totp_secret is not null as "requiresTotpMfa",
  u.is_anonymous as "isAnonymous",
  u.signed_up_at_millis as "signedUpAtMillis",
  u.primary_email as "primaryEmail",
  u.primary_email_verified as "primaryEmailVerified",
  u.primary_email_used_for_auth as "primaryEmailAuthEnabled",
  case when u.may_have_oauth_accounts then (
    select coalesce(json_agg(json_build_object('id', o.provider_id, 'accountId', o.account_id, 'email', o.email)
      order by o.created_at_millis, o.provider_id, o.account_id), '[]')
    from oauth_accounts o where o.project_id = u.project_id and o.user_id = u.id
  ) else '[]' end as "oauthAccounts",
  case when u.selected_team_id is not null then (
    select json_build_object(
      'id', t.id, 'displayName', t.display_name, 'profileImageUrl', t.profile_image_url,
      'clientMetadata', t.client_metadata, 'clientReadOnlyMetadata', t.client_read_only_metadata,
      'serverMetadata', t.server_metadata, 'createdAtMillis', t.created_at_millis
    )
    from teams t where t.project_id = u.project_id and t.id = u.selected_team_id
  ) end as "selectedTeam"
`;

/** The columns of a `User`, from table `users` as `u`. */
export const userColumns = sql`
  ${callUserColumns},
  coalesce(u.last_active_at_millis, u.signed_up_at_millis) as "lastActiveAtMillis"
`;

export async function selectUser(db: Queryable, projectId: string, userId: string): Promise<User | null> {
  const [user] = await db.query<User>(sql`
    select ${userColumns} from users u
    where u.project_id = ${projectId} and u.id = ${userId}
  `);
  return user ?? null;
}

/** The existing users of these ids, in no particular order. */
export function selectUsersById(db: Queryable, projectId: string, userIds: readonly string[]): Promise<User[]> {
  return db.query<User>(sql`
    select ${userColumns} from users u
    where u.project_id = ${projectId} and u.id = any(${[...userIds]})
  `);
}

/** The user of an access token. */
export interface FoundUser {
  readonly user: CallUser;
  /** False when the session of the token has ended; true for a token without a session. */
  readonly hasSession: boolean;
}

/**
 * Reads the users of several requests, and whether their sessions exist. The result has the order of the requests, with
 * undefined for a deleted user. The last activity is left out, because clients never see it.
 */
export async function selectCallUsers(
  db: Queryable,
  asked: readonly { readonly projectId: string; readonly userId: string; readonly sessionId: string | undefined }[],
): Promise<(FoundUser | undefined)[]> {
  // One index lookup for each request, whatever the planner estimates for the table.
  const rows = await db.query<CallUser & { place: number; hasSession: boolean }>(sql`
    select asked.place, ${callUserColumns}, asked.session_id is null or exists (
      select from sessions s
      where s.project_id = asked.project_id and s.id = asked.session_id and s.user_id = asked.id
    ) as "hasSession"
    from unnest(
      ${asked.map(one => one.projectId)}::text[], ${asked.map(one => one.userId)}::uuid[],
      ${asked.map(one => one.sessionId ?? null)}::uuid[]
    ) with ordinality as asked (project_id, id, session_id, place)
    cross join lateral (select * from users where project_id = asked.project_id and id = asked.id limit 1) u
  `);
  const found = new Array<FoundUser | undefined>(asked.length).fill(undefined);
  for (const { place, hasSession, ...user } of rows) found[place - 1] = { user, hasSession };
  return found;
}

/**
 * Whether a sign-in channel `c` blocks its address for other accounts. An unverified address beside another verified
 * sign-in address of the same account does not: it is free for sign-up, and the caller who proves it gets it.
 */
export const blocksAddress = (projectId: string) => sql`(
  c.is_verified or not exists (
    select from contact_channels o
    where o.project_id = ${projectId} and o.user_id = c.user_id and o.id <> c.id and o.used_for_auth and o.is_verified
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
  await tx.query(sql`select id from users where project_id = ${projectId} and id = ${holder.id} for no key update`);
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

/** The account of an address, with the columns that a password check needs. */
export async function selectCredential(
  db: Queryable,
  projectId: string,
  address: string,
): Promise<{ userId: string; passwordHash: string | null; requiresTotpMfa: boolean } | undefined> {
  const [row] = await db.query<{ userId: string; passwordHash: string | null; requiresTotpMfa: boolean }>(sql`
    select u.id as "userId", u.password_hash as "passwordHash", u.totp_secret is not null as "requiresTotpMfa"
    from contact_channels c
    join users u on u.project_id = ${projectId} and u.id = c.user_id
    where c.project_id = ${projectId} and c.type = 'email' and c.value = ${address} and c.used_for_auth
      and ${blocksAddress(projectId)}
  `);
  return row;
}

export interface NewUser {
  readonly id: string;
  readonly displayName: string | null;
  readonly profileImageUrl?: string | null;
  readonly clientMetadata?: Json;
  readonly clientReadOnlyMetadata?: Json;
  readonly serverMetadata?: Json;
  readonly passwordHash: string | null;
  readonly otpAuthEnabled?: boolean;
  /** Encrypted. */
  readonly totpSecret?: Uint8Array | null;
  readonly isAnonymous?: boolean;
  readonly signedUpAtMillis: number;
  readonly primaryEmail: { readonly value: string; readonly isVerified: boolean; readonly usedForAuth: boolean } | null;
  readonly oauthAccounts?: readonly OAuthAccount[];
}

/**
 * @throws AddressTaken when the address signs in to another user
 * @throws ProviderAccountTaken when a provider account belongs to another user
 */
export async function insertUser(tx: Transaction, projectId: string, user: NewUser): Promise<void> {
  const nowMillis = user.signedUpAtMillis;
  await tx.query(sql`
    insert into users (
      project_id, id, display_name, profile_image_url, client_metadata, client_read_only_metadata, server_metadata,
      password_hash, otp_auth_enabled, totp_secret, is_anonymous, signed_up_at_millis, search,
      primary_email, primary_email_verified, primary_email_used_for_auth
    ) values (
      ${projectId}, ${user.id}, ${user.displayName}, ${user.profileImageUrl ?? null},
      ${jsonText(user.clientMetadata)}, ${jsonText(user.clientReadOnlyMetadata)}, ${jsonText(user.serverMetadata)},
      ${user.passwordHash}, ${user.otpAuthEnabled ?? false}, ${user.totpSecret ?? null}, ${user.isAnonymous ?? false},
      ${nowMillis}, ${searchText([user.displayName, user.primaryEmail?.value ?? null, user.id])},
      ${user.primaryEmail?.value ?? null}, ${user.primaryEmail?.isVerified ?? false},
      ${user.primaryEmail?.usedForAuth ?? false}
    )
  `);
  if (user.primaryEmail !== null)
    await insertPrimaryChannel(tx, projectId, user.id, { ...user.primaryEmail, nowMillis });
  for (const account of user.oauthAccounts ?? []) {
    await insertOAuthAccount(tx, projectId, { ...account, userId: user.id, nowMillis });
  }
}

export async function insertOAuthAccount(
  tx: Transaction,
  projectId: string,
  account: OAuthAccount & { readonly userId: string; readonly nowMillis: number },
): Promise<void> {
  const insert = tx.query(sql`
    with marked as (
      update users set may_have_oauth_accounts = true
      where project_id = ${projectId} and id = ${account.userId} and not may_have_oauth_accounts
    )
    insert into oauth_accounts (project_id, provider_id, account_id, user_id, email, created_at_millis)
    values (${projectId}, ${account.id}, ${account.accountId}, ${account.userId}, ${account.email}, ${account.nowMillis})
  `);
  await insert.catch((error: unknown) => {
    if (violatedConstraint(error) !== 'oauth_accounts_identity') throw error;
    throw new ProviderAccountTaken('the account at the provider belongs to another user');
  });
}

/** Rebuilds the search column: name, addresses and id, one per line. Every writer of one of them calls it. */
export async function refreshSearch(tx: Transaction, projectId: string, userId: string): Promise<void> {
  const rows = await tx.query<{ displayName: string | null; addresses: string[] }>(sql`
    select u.display_name as "displayName", array(
      select c.value from contact_channels c
      where c.project_id = ${projectId} and c.user_id = u.id order by c.created_at_millis, c.id
    ) as addresses
    from users u where u.project_id = ${projectId} and u.id = ${userId} for no key update
  `);
  for (const { displayName, addresses } of rows) {
    const search = searchText([displayName, ...addresses, userId]);
    await tx.query(sql`update users set search = ${search} where project_id = ${projectId} and id = ${userId}`);
  }
}

function searchText(lines: readonly (string | null)[]): string {
  return lines
    .filter(line => line !== null)
    .join('\n')
    .toLowerCase();
}

/** JSON `null` is stored as SQL null; both are read as null. */
export function jsonText(value: Json | undefined): string | null {
  return value == null ? null : JSON.stringify(value);
}

export async function insertPrimaryChannel(
  tx: Transaction,
  projectId: string,
  userId: string,
  channel: { value: string; isVerified: boolean; usedForAuth: boolean; nowMillis: number },
): Promise<void> {
  const claim = { projectId, address: channel.value, userId, nowMillis: channel.nowMillis };
  if (channel.isVerified && channel.usedForAuth) await releaseAddress(tx, claim);
  const insert = tx.query(sql`
    insert into contact_channels (project_id, id, user_id, type, value, is_primary, is_verified, used_for_auth, created_at_millis)
    values (
      ${projectId}, ${randomUUID()}, ${userId}, 'email', ${channel.value}, true, ${channel.isVerified}, ${channel.usedForAuth},
      ${channel.nowMillis}
    )
  `);
  await insert.catch(throwAddressTaken);
}

/** Whether the user has this address on any channel. */
export async function hasChannel(db: Queryable, projectId: string, userId: string, address: string): Promise<boolean> {
  const rows = await db.query(sql`
    select id from contact_channels
    where project_id = ${projectId} and user_id = ${userId} and type = 'email' and value = ${address}
  `);
  return rows.length > 0;
}

/** The number is exact under the lock of the user. */
export async function countChannels(db: Queryable, projectId: string, userId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    select count(*) as count from contact_channels where project_id = ${projectId} and user_id = ${userId}
  `);
  return onlyRow(rows).count;
}

export async function isMember(db: Queryable, projectId: string, userId: string, teamId: string): Promise<boolean> {
  const rows = await db.query(sql`
    select team_id from team_memberships
    where project_id = ${projectId} and user_id = ${userId} and team_id = ${teamId}
  `);
  return rows.length > 0;
}

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

/** Keeps a user from being deleted until the transaction ends. @returns false when the user does not exist */
export async function holdUser(tx: Transaction, projectId: string, userId: string): Promise<boolean> {
  const rows = await tx.query(
    sql`select id from users where project_id = ${projectId} and id = ${userId} for key share`,
  );
  return rows.length > 0;
}

/** Sessions, channels and codes are deleted with the row. */
export async function deleteUser(tx: Transaction, projectId: string, userId: string): Promise<boolean> {
  const rows = await tx.query(sql`delete from users where project_id = ${projectId} and id = ${userId} returning id`);
  return rows.length > 0;
}

/** The teams of a user, oldest first. */
export async function selectTeamIds(db: Queryable, projectId: string, userId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select t.id from team_memberships m join teams t on t.project_id = ${projectId} and t.id = m.team_id
    where m.project_id = ${projectId} and m.user_id = ${userId} order by t.created_at_millis, t.id
  `);
  return rows.map(row => row.id);
}

export function throwAddressTaken(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint === 'contact_channels_used_for_auth')
    throw new AddressTaken('the address signs in to another account');
  throw error;
}
