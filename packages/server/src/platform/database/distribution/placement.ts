/** Where the rows of a table lie in a database that is sharded by project. */
export type Placement =
  /** A row is on the shard of its value in `column`. Equal values of all tables share a shard. */
  | { readonly kind: 'distributed'; readonly column: string }
  /** The table is on the coordinator only. */
  | { readonly kind: 'local'; readonly reason: string };

/** A table that other tables refer to comes before them. */
const tablesOfProjects = [
  'api_key_sets',
  'audit_events',
  'caught_mails',
  'cli_logins',
  'email_templates',
  'idempotency_keys',
  'images',
  'mail_bodies',
  'messages',
  'message_counts',
  'permission_definitions',
  'teams',
  'users',
  'account_deletions',
  'api_keys',
  'contact_channels',
  'mails',
  'notification_preferences',
  'oauth_accounts',
  'oauth_authorization_codes',
  'oauth_flows',
  'oauth_provider_tests',
  'oauth_tokens',
  'one_time_codes',
  'passkeys',
  'project_members',
  'project_permissions',
  'sent_mails',
  'sessions',
  'ended_sessions',
  'events',
  'rotated_refresh_tokens',
  'sign_in_devices',
  'sign_in_sources',
  'team_memberships',
  'team_permissions',
  'webhook_endpoints',
  'webhook_events',
  'webhook_deliveries',
  'webhook_attempts',
  'metric_active_days',
  'metric_changes',
  'metric_counts',
  'metric_users',
];

const localTables = {
  installation: 'one row for the whole installation, which is joined with no other table',
  metric_progress: 'one row: how far the rollup of all projects is',
  migrations: 'the schema is that of the whole cluster',
  rate_limits: 'counters by address block and account; a key may belong to no project',
  schema_release: 'one row for the whole schema',
};

/**
 * The placement of each table, in an order in which they can be distributed. No table is a reference table: none is both
 * without a project and joined with tables of projects on the path of a request. The tables of the job queue lie in a
 * schema of their own and stay on the coordinator.
 */
export const placements: ReadonlyMap<string, Placement> = new Map<string, Placement>([
  ['projects', { kind: 'distributed', column: 'id' }],
  ...tablesOfProjects.map((table): [string, Placement] => [table, { kind: 'distributed', column: 'project_id' }]),
  ...Object.entries(localTables).map(([table, reason]): [string, Placement] => [table, { kind: 'local', reason }]),
]);
