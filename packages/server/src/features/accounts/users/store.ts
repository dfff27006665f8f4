import type { Json } from '@tessera/protocol';
import type { FoundUser } from '../../../core/caller.ts';
import type { CallUser, NewOAuthAccount, User } from '../../../core/user.ts';
import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { foldText } from '../../../platform/database/folded-text.ts';
import { jsonText, sql } from '../../../platform/database/sql.ts';
import { blocksAddress } from '../contact-channels/claims-store.ts';
import { insertPrimaryChannel } from '../contact-channels/primary-store.ts';
import { insertOAuthAccount } from '../credentials/oauth-accounts-store.ts';
import { acceptsAccessTokens } from '../credentials/valid-session-store.ts';

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
    where u.project_id = ${projectId} and u.id = any((select ${[...userIds]}::uuid[])::uuid[])
  `);
}

/**
 * Reads the users of several requests, and whether their sessions accept the token. The result has the order of the requests, with
 * undefined for a deleted user. The last activity is left out, because clients never see it.
 */
export async function selectCallUsers(
  db: Queryable,
  asked: readonly { readonly projectId: string; readonly userId: string; readonly sessionId: string | undefined }[],
  nowMillis: number,
): Promise<(FoundUser | undefined)[]> {
  // One index lookup for each request, whatever the planner estimates for the table.
  const rows = await db.query<CallUser & FoundSession & { place: number }>(sql`
    select asked.place, ${callUserColumns}, asked.session_id is null or s.id is not null as "hasSession",
      coalesce(s.is_impersonation, false) as "isImpersonation", s.opener_id as "openerId"
    from unnest(
      (select ${asked.map(one => one.projectId)}::text[]), (select ${asked.map(one => one.userId)}::uuid[]),
      (select ${asked.map(one => one.sessionId ?? null)}::uuid[])
    ) with ordinality as asked (project_id, id, session_id, place)
    cross join lateral (select * from users where project_id = asked.project_id and id = asked.id limit 1) u
    left join lateral (
      select s.id, s.is_impersonation, s.opener_id from sessions s
      where s.project_id = asked.project_id and s.id = asked.session_id and s.user_id = asked.id
        and ${acceptsAccessTokens(nowMillis)}
      limit 1
    ) s on true
  `);
  const found = new Array<FoundUser | undefined>(asked.length).fill(undefined);
  for (const row of rows) {
    const impersonation = row.isImpersonation ? { openerId: row.openerId } : undefined;
    found[row.place - 1] = { user: callUserOf(row), hasSession: row.hasSession, impersonation };
  }
  return found;
}

/** Written out: a rest of a row is a dictionary for V8, which is slow to make and to read. */
function callUserOf(row: CallUser): CallUser {
  return {
    id: row.id,
    displayName: row.displayName,
    profileImageUrl: row.profileImageUrl,
    clientMetadata: row.clientMetadata,
    clientReadOnlyMetadata: row.clientReadOnlyMetadata,
    serverMetadata: row.serverMetadata,
    hasPassword: row.hasPassword,
    otpAuthEnabled: row.otpAuthEnabled,
    hasPasskey: row.hasPasskey,
    requiresTotpMfa: row.requiresTotpMfa,
    isAnonymous: row.isAnonymous,
    signedUpAtMillis: row.signedUpAtMillis,
    primaryEmail: row.primaryEmail,
    primaryEmailVerified: row.primaryEmailVerified,
    primaryEmailAuthEnabled: row.primaryEmailAuthEnabled,
    oauthAccounts: row.oauthAccounts,
    selectedTeam: row.selectedTeam,
  };
}

interface FoundSession {
  readonly hasSession: boolean;
  readonly isImpersonation: boolean;
  readonly openerId: string | null;
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
  readonly oauthAccounts?: readonly NewOAuthAccount[];
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
      ${nowMillis}, ${searchText(user.id, [user.displayName, user.primaryEmail?.value ?? null])},
      ${user.primaryEmail?.value ?? null}, ${user.primaryEmail?.isVerified ?? false},
      ${user.primaryEmail?.usedForAuth ?? false}
    )
  `);
  if (user.primaryEmail !== null)
    await insertPrimaryChannel(tx, { projectId, userId: user.id, nowMillis }, user.primaryEmail);
  for (const account of user.oauthAccounts ?? []) {
    await insertOAuthAccount(tx, { projectId, userId: user.id }, account, nowMillis);
  }
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
    const search = searchText(userId, [displayName, ...addresses]);
    await tx.query(sql`update users set search = ${search} where project_id = ${projectId} and id = ${userId}`);
  }
}

/**
 * One line for each name and address, and the id. A text with other characters than ASCII begins with a copy for searches;
 * an empty line follows, which no other text has (the index `users_unfolded`). The previous release searches the original.
 * A line break within a name becomes a space, as in a search.
 */
export function searchText(userId: string, lines: readonly (string | null)[]): string {
  const text = lines
    .filter(line => line !== null)
    .map(line => `${line.replaceAll('\n', ' ')}\n`)
    .join('')
    .toLowerCase();
  const isAscii = Buffer.byteLength(text) === text.length;
  return `${isAscii ? '' : `${foldText(text)}\n`}${text}${userId}`;
}

export async function isMember(
  db: Queryable,
  projectId: string,
  { teamId, userId }: { readonly teamId: string; readonly userId: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    select team_id from team_memberships
    where project_id = ${projectId} and user_id = ${userId} and team_id = ${teamId}
  `);
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
