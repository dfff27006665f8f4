import {
  decryptKeys,
  encryptKeys,
  makeSecret,
  providerTokenPurposes,
  type Secrets,
  totpSecretPurpose,
} from '@tessera/server';

/** A column that is encrypted with the key of the installation. The key is never exported. */
export interface EncryptedColumn {
  readonly name: string;
  decrypt(encrypted: Buffer, row: Row, secrets: Secrets): Uint8Array | string;
  encrypt(plain: Buffer, row: Row, secrets: Secrets): Buffer;
  /** What replaces a missing secret: null, another secret, or the row is skipped. */
  readonly withoutSecret: 'null' | 'skip row' | ((secrets: Secrets) => Buffer);
  /** What a number of missing secrets means for users. */
  readonly consequence: (count: number) => string;
}

export type Row = Readonly<Record<string, unknown>>;

/** An exported table. All columns except the project's id are exported. */
export interface ExportedTable {
  readonly name: string;
  /** Order of the rows. With the project's id in front it is an index. */
  readonly order: readonly string[];
  readonly encrypted?: EncryptedColumn;
  /** Columns that are not exported. */
  readonly omit?: readonly string[];
  /** Columns that are not exported and get this value in the import. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Binary columns that need no encryption: public keys, and hashes of values with high entropy. */
  readonly openBytes?: readonly string[];
  /** Condition for exported rows; default: all rows. */
  readonly where?: string;
}

/** All exported tables but `projects`, whose one row has its own line. Referenced tables come first. */
export const exportedTables: readonly ExportedTable[] = [
  { name: 'permission_definitions', order: ['id'] },
  {
    name: 'api_key_sets',
    order: ['id'],
    openBytes: ['publishable_client_key_hash', 'secret_server_key_hash', 'super_secret_admin_key_hash'],
    // Whether the operator or the installation created the set means nothing in another installation.
    fixed: { source: 'project' },
  },
  {
    name: 'users',
    order: ['id'],
    // The team references a membership, which comes later: it is exported as `selected_teams`. The hashes of recovery
    // codes contain the id of the project, so the codes would not work in another one.
    omit: ['selected_team_id', 'recovery_code_hashes', 'recovery_codes_created_at_millis'],
    encrypted: {
      name: 'totp_secret',
      decrypt: (encrypted, _, secrets) => secrets.decrypt(totpSecretPurpose, encrypted),
      encrypt: (plain, _, secrets) => secrets.encrypt(totpSecretPurpose, plain),
      withoutSecret: 'null',
      consequence: count =>
        count === 1
          ? '1 user with an authenticator app signs in without a second factor until it is set up again'
          : `${count} users with an authenticator app sign in without a second factor until they set it up again`,
    },
  },
  { name: 'images', order: ['hash'], openBytes: ['hash', 'content'] },
  { name: 'contact_channels', order: ['id'] },
  { name: 'oauth_accounts', order: ['provider_id', 'account_id'] },
  {
    name: 'oauth_tokens',
    order: ['id'],
    encrypted: {
      name: 'token',
      decrypt: (encrypted, row, secrets) => secrets.decrypt(providerTokenPurpose(row), encrypted),
      encrypt: (plain, row, secrets) => secrets.encrypt(providerTokenPurpose(row), plain),
      withoutSecret: 'skip row',
      consequence: count =>
        count === 1
          ? '1 token of an OAuth provider is missing: the user must connect this account again'
          : `${count} tokens of OAuth providers are missing: users must connect these accounts again`,
    },
  },
  { name: 'passkeys', order: ['credential_id'], openBytes: ['public_key'] },
  { name: 'teams', order: ['id'] },
  { name: 'team_memberships', order: ['team_id', 'user_id'] },
  { name: 'team_permissions', order: ['team_id', 'user_id', 'permission_id'] },
  { name: 'project_permissions', order: ['user_id', 'permission_id'] },
  { name: 'api_keys', order: ['id'], openBytes: ['secret_hash'] },
  { name: 'account_deletions', order: ['user_id'] },
  { name: 'notification_preferences', order: ['user_id', 'category_id'] },
  { name: 'email_templates', order: ['type'] },
  {
    name: 'webhook_endpoints',
    order: ['id'],
    where: 'deleted_at_millis is null',
    encrypted: {
      name: 'secrets',
      decrypt: (encrypted, _, secrets) => JSON.stringify(decryptKeys(secrets, encrypted)),
      encrypt: (plain, _, secrets) => encryptKeys(secrets, JSON.parse(plain.toString())),
      withoutSecret: secrets => encryptKeys(secrets, [{ key: makeSecret(), endsAtMillis: null }]),
      consequence: count =>
        count === 1
          ? '1 webhook endpoint gets a new signing secret: configure it in the receiver'
          : `${count} webhook endpoints get new signing secrets: configure them in the receivers`,
    },
  },
  // Last-active times and metrics are read from the activity. The rows get new numbers, in the same order.
  { name: 'events', order: ['id'], omit: ['id'] },
  { name: 'audit_events', order: ['at_millis', 'id'] },
];

/** The selected team of each user. These lines follow the memberships. */
export const selectedTeams = 'selected_teams';

function providerTokenPurpose({ kind }: Row): string {
  if (kind === 'access' || kind === 'refresh') return providerTokenPurposes[kind];
  throw new Error(`an unknown kind of provider token: ${String(kind)}`);
}
