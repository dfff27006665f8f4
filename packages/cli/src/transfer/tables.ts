import {
  decryptKeys,
  encryptKeys,
  makeSecret,
  providerTokenPurposes,
  type Secrets,
  totpSecretPurpose,
} from '@tessera/server';

/** A column that is encrypted under the key of the installation, which does not travel. */
export interface EncryptedColumn {
  readonly name: string;
  open(sealed: Buffer, row: Row, secrets: Secrets): Uint8Array | string;
  seal(plain: Buffer, row: Row, secrets: Secrets): Buffer;
  /** Of a row whose secret is left out: nothing, another secret, or the whole row stays away. */
  readonly withoutSecret: 'null' | 'row stays away' | ((secrets: Secrets) => Buffer);
  /** What that means, for people; after a number. */
  readonly consequence: string;
}

export type Row = Readonly<Record<string, unknown>>;

/** A table whose rows travel with their project. All columns do, but for the project's id. */
export interface ExportedTable {
  readonly name: string;
  /** Order of the rows: with the project in front, an index. */
  readonly order: readonly string[];
  readonly sealed?: EncryptedColumn;
  /** Columns that do not travel. */
  readonly omit?: readonly string[];
  /** Columns that do not travel either: elsewhere they have this value. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Bytes that may be read by anybody: hashes of what has entropy of its own, and public keys. */
  readonly openBytes?: readonly string[];
  /** Which rows travel; all of them without it. */
  readonly where?: string;
}

/** All but `projects`, whose one row is a line of its own. Those that others refer to come first. */
export const exportedTables: readonly ExportedTable[] = [
  { name: 'permission_definitions', order: ['id'] },
  {
    name: 'api_key_sets',
    order: ['id'],
    openBytes: ['publishable_client_key_hash', 'secret_server_key_hash', 'super_secret_admin_key_hash'],
    // Whose set it was, the operator's or the installation's own, means nothing elsewhere.
    fixed: { source: 'project' },
  },
  {
    name: 'users',
    order: ['id'],
    // A membership, which comes later: travels as `selected_teams`.
    omit: ['selected_team_id'],
    sealed: {
      name: 'totp_secret',
      open: (sealed, _, secrets) => secrets.decrypt(totpSecretPurpose, sealed),
      seal: (plain, _, secrets) => secrets.encrypt(totpSecretPurpose, plain),
      withoutSecret: 'null',
      consequence: 'users with an authenticator app sign in without a second factor until they set it up again',
    },
  },
  { name: 'images', order: ['hash'], openBytes: ['hash', 'content'] },
  { name: 'contact_channels', order: ['id'] },
  { name: 'oauth_accounts', order: ['provider_id', 'account_id'] },
  {
    name: 'oauth_tokens',
    order: ['id'],
    sealed: {
      name: 'token',
      open: (sealed, row, secrets) => secrets.decrypt(providerTokenPurpose(row), sealed),
      seal: (plain, row, secrets) => secrets.encrypt(providerTokenPurpose(row), plain),
      withoutSecret: 'row stays away',
      consequence: 'tokens of OAuth providers are gone: connected accounts ask their users to connect again',
    },
  },
  { name: 'passkeys', order: ['credential_id'], openBytes: ['public_key'] },
  { name: 'teams', order: ['id'] },
  { name: 'team_memberships', order: ['team_id', 'user_id'] },
  { name: 'team_permissions', order: ['team_id', 'user_id', 'permission_id'] },
  { name: 'project_permissions', order: ['user_id', 'permission_id'] },
  { name: 'api_keys', order: ['id'], openBytes: ['secret_hash'] },
  { name: 'notification_preferences', order: ['user_id', 'category_id'] },
  { name: 'email_templates', order: ['type'] },
  {
    name: 'webhook_endpoints',
    order: ['id'],
    where: 'deleted_at_millis is null',
    sealed: {
      name: 'secrets',
      open: (sealed, _, secrets) => JSON.stringify(decryptKeys(secrets, sealed)),
      seal: (plain, _, secrets) => encryptKeys(secrets, JSON.parse(plain.toString())),
      withoutSecret: secrets => encryptKeys(secrets, [{ key: makeSecret(), endsAtMillis: null }]),
      consequence: 'webhook endpoints get new signing secrets: give them to the receivers',
    },
  },
  // The activity that last-active times and metrics are read from; numbered anew, in the same order.
  { name: 'events', order: ['id'], omit: ['id'] },
  { name: 'audit_events', order: ['at_millis', 'id'] },
];

/** What stays behind, and why. */
export const transientTables: Readonly<Record<string, string>> = {
  sessions: 'people sign in again: a copy of a project must not share sessions with the original',
  rotated_refresh_tokens: 'belongs to sessions',
  one_time_codes: 'links and codes that were sent lead to the old place',
  cli_logins: 'under way for minutes',
  idempotency_keys: 'kept for a day, encrypted under the key of the installation',
  oauth_flows: 'under way for minutes',
  sign_in_sources: 'learned again from the next sign-ins',
  oauth_authorization_codes: 'under way for a minute',
  mails: 'the post goes out from the old place',
  mail_bodies: 'belongs to mails',
  sent_mails: 'a log that is kept for a while only, encrypted under the key of the installation',
  caught_mails: 'development only',
  webhook_events: 'the old place delivers what happened there',
  webhook_deliveries: 'belongs to webhook_events',
  webhook_attempts: 'belongs to webhook_events',
  metric_counts: 'counted anew from users and events',
  metric_changes: 'counted anew from users and events',
  metric_users: 'counted anew from users and events',
  metric_active_days: 'counted anew from users and events',
};

/** Which team each user has selected: lines after those of the memberships. */
export const selectedTeams = 'selected_teams';

function providerTokenPurpose({ kind }: Row): string {
  if (kind === 'access' || kind === 'refresh') return providerTokenPurposes[kind];
  throw new Error(`an unknown kind of provider token: ${String(kind)}`);
}
