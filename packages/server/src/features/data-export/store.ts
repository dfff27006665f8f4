import type { Json } from '@tessera/protocol';
import { dataExportRowsMax } from '@tessera/protocol/limits';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** Whose data is read. */
export interface DataSubject {
  readonly projectId: string;
  readonly userId: string;
}

export interface AccountRow {
  readonly id: string;
  readonly displayName: string | null;
  readonly profileImageUrl: string | null;
  readonly signedUpAtMillis: number;
  readonly lastActiveAtMillis: number | null;
  readonly hasPassword: boolean;
  readonly hasEmailCode: boolean;
  readonly hasTotp: boolean;
  readonly clientMetadata: Json;
  readonly clientReadOnlyMetadata: Json;
}

export async function selectAccountData(
  db: Queryable,
  { projectId, userId }: DataSubject,
): Promise<AccountRow | undefined> {
  const [row] = await db.query<AccountRow>(sql`
    select id, display_name as "displayName", profile_image_url as "profileImageUrl",
      signed_up_at_millis as "signedUpAtMillis", last_active_at_millis as "lastActiveAtMillis",
      password_hash is not null as "hasPassword", otp_auth_enabled as "hasEmailCode",
      totp_secret is not null as "hasTotp", client_metadata as "clientMetadata",
      client_read_only_metadata as "clientReadOnlyMetadata"
    from users where project_id = ${projectId} and id = ${userId}
  `);
  return row;
}

export interface AddressRow {
  readonly value: string;
  readonly isPrimary: boolean;
  readonly isVerified: boolean;
  readonly usedForAuth: boolean;
  readonly createdAtMillis: number;
}

export function selectAddresses(db: Queryable, { projectId, userId }: DataSubject): Promise<AddressRow[]> {
  return db.query<AddressRow>(sql`
    select value, is_primary as "isPrimary", is_verified as "isVerified", used_for_auth as "usedForAuth",
      created_at_millis as "createdAtMillis"
    from contact_channels where project_id = ${projectId} and user_id = ${userId}
    order by created_at_millis, id limit ${dataExportRowsMax}
  `);
}

export interface PasskeyRow {
  readonly name: string | null;
  readonly userAgent: string | null;
  readonly createdAtMillis: number;
  readonly lastUsedAtMillis: number | null;
}

export function selectPasskeyData(db: Queryable, { projectId, userId }: DataSubject): Promise<PasskeyRow[]> {
  return db.query<PasskeyRow>(sql`
    select name, user_agent as "userAgent", created_at_millis as "createdAtMillis",
      last_used_at_millis as "lastUsedAtMillis"
    from passkeys where project_id = ${projectId} and user_id = ${userId}
    order by created_at_millis, credential_id limit ${dataExportRowsMax}
  `);
}

export interface ProviderAccountRow {
  readonly providerId: string;
  readonly accountId: string;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly createdAtMillis: number;
}

export function selectProviderAccounts(
  db: Queryable,
  { projectId, userId }: DataSubject,
): Promise<ProviderAccountRow[]> {
  return db.query<ProviderAccountRow>(sql`
    select provider_id as "providerId", account_id as "accountId", display_name as "displayName", email,
      created_at_millis as "createdAtMillis"
    from oauth_accounts where project_id = ${projectId} and user_id = ${userId}
    order by created_at_millis, provider_id, account_id limit ${dataExportRowsMax}
  `);
}

export interface SessionRow {
  readonly createdAtMillis: number;
  readonly expiresAtMillis: number;
  readonly userAgent: string | null;
}

export function selectSessionData(db: Queryable, { projectId, userId }: DataSubject): Promise<SessionRow[]> {
  return db.query<SessionRow>(sql`
    select created_at_millis as "createdAtMillis", expires_at_millis as "expiresAtMillis", user_agent as "userAgent"
    from sessions where project_id = ${projectId} and user_id = ${userId} and not is_impersonation
    order by created_at_millis desc, id limit ${dataExportRowsMax}
  `);
}

export interface TeamRow {
  readonly id: string;
  readonly displayName: string;
  readonly ownDisplayName: string | null;
  readonly joinedAtMillis: number;
}

export function selectTeamData(db: Queryable, { projectId, userId }: DataSubject): Promise<TeamRow[]> {
  return db.query<TeamRow>(sql`
    select t.id, t.display_name as "displayName", m.display_name as "ownDisplayName",
      m.created_at_millis as "joinedAtMillis"
    from team_memberships m join teams t on t.project_id = ${projectId} and t.id = m.team_id
    where m.project_id = ${projectId} and m.user_id = ${userId}
    order by m.created_at_millis, t.id limit ${dataExportRowsMax}
  `);
}

export interface ApiKeyRow {
  readonly description: string;
  readonly lastFour: string;
  readonly createdAtMillis: number;
  readonly expiresAtMillis: number | null;
  readonly lastUsedAtMillis: number | null;
  readonly scopes: string[] | null;
}

export function selectApiKeyData(db: Queryable, { projectId, userId }: DataSubject): Promise<ApiKeyRow[]> {
  return db.query<ApiKeyRow>(sql`
    select description, last_four as "lastFour", created_at_millis as "createdAtMillis",
      expires_at_millis as "expiresAtMillis", last_used_at_millis as "lastUsedAtMillis", scopes
    from api_keys where project_id = ${projectId} and user_id = ${userId}
    order by created_at_millis, id limit ${dataExportRowsMax}
  `);
}

export interface PreferenceRow {
  readonly categoryId: string;
  readonly isEnabled: boolean;
}

export function selectPreferences(db: Queryable, { projectId, userId }: DataSubject): Promise<PreferenceRow[]> {
  return db.query<PreferenceRow>(sql`
    select category_id as "categoryId", is_enabled as "isEnabled"
    from notification_preferences where project_id = ${projectId} and user_id = ${userId}
    order by category_id limit ${dataExportRowsMax}
  `);
}
