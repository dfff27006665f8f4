import type { Answer, dataExportEndpoints } from '@tessera/protocol';
import type {
  AccountRow,
  AddressRow,
  ApiKeyRow,
  PasskeyRow,
  PreferenceRow,
  ProviderAccountRow,
  SessionRow,
  TeamRow,
} from './store.ts';

type OwnDataView = Answer<typeof dataExportEndpoints.create>;

/** Everything that an export contains. */
export interface OwnData {
  readonly exportedAtMillis: number;
  readonly account: AccountRow;
  readonly addresses: readonly AddressRow[];
  readonly passkeys: readonly PasskeyRow[];
  readonly providerAccounts: readonly ProviderAccountRow[];
  readonly sessions: readonly SessionRow[];
  readonly teams: readonly TeamRow[];
  readonly apiKeys: readonly ApiKeyRow[];
  readonly preferences: readonly PreferenceRow[];
  readonly activity: readonly {
    readonly atMillis: number;
    readonly action: string;
    readonly address: string | null;
    readonly userAgent: string | null;
  }[];
}

export function ownDataView(data: OwnData): OwnDataView {
  return {
    exported_at_millis: data.exportedAtMillis,
    account: accountView(data.account),
    email_addresses: data.addresses.map(row => ({
      value: row.value,
      is_primary: row.isPrimary,
      is_verified: row.isVerified,
      used_for_auth: row.usedForAuth,
      added_at_millis: row.createdAtMillis,
    })),
    passkeys: data.passkeys.map(row => ({
      name: row.name,
      user_agent: row.userAgent,
      created_at_millis: row.createdAtMillis,
      last_used_at_millis: row.lastUsedAtMillis,
    })),
    connected_accounts: data.providerAccounts.map(row => ({
      provider_id: row.providerId,
      account_id: row.accountId,
      display_name: row.displayName,
      email: row.email,
      connected_at_millis: row.createdAtMillis,
    })),
    sessions: data.sessions.map(row => ({
      created_at_millis: row.createdAtMillis,
      expires_at_millis: row.expiresAtMillis,
      user_agent: row.userAgent,
    })),
    teams: data.teams.map(row => ({
      id: row.id,
      display_name: row.displayName,
      own_display_name: row.ownDisplayName,
      joined_at_millis: row.joinedAtMillis,
    })),
    api_keys: data.apiKeys.map(row => ({
      description: row.description,
      last_four: row.lastFour,
      created_at_millis: row.createdAtMillis,
      expires_at_millis: row.expiresAtMillis,
      last_used_at_millis: row.lastUsedAtMillis,
      scopes: row.scopes,
    })),
    notification_preferences: data.preferences.map(row => ({
      category_id: row.categoryId,
      is_enabled: row.isEnabled,
    })),
    security_activity: data.activity.map(row => ({
      at_millis: row.atMillis,
      action: row.action,
      address: row.address,
      user_agent: row.userAgent,
    })),
  };
}

function accountView(account: AccountRow): OwnDataView['account'] {
  return {
    id: account.id,
    display_name: account.displayName,
    profile_image_url: account.profileImageUrl,
    signed_up_at_millis: account.signedUpAtMillis,
    last_active_at_millis: account.lastActiveAtMillis,
    has_password: account.hasPassword,
    has_email_code: account.hasEmailCode,
    has_two_step_verification: account.hasTotp,
    client_metadata: account.clientMetadata,
    client_read_only_metadata: account.clientReadOnlyMetadata,
  };
}
