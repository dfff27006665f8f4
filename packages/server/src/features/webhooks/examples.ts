import type { teamEndpoints, userEndpoints, WebhookEventType } from '@tessera/protocol';
import type * as z from 'zod';

type ServerTeam = z.output<typeof teamEndpoints.read.response.server>;
type ServerUser = z.output<typeof userEndpoints.read.response>;

const createdAtMillis = Date.UTC(2026, 0, 1, 12);

const team: ServerTeam = {
  id: '00000000-0000-4000-8000-00000000000a',
  display_name: 'Example team',
  profile_image_url: null,
  client_metadata: null,
  client_read_only_metadata: null,
  server_metadata: null,
  created_at_millis: createdAtMillis,
};

const user: ServerUser = {
  id: '00000000-0000-4000-8000-000000000001',
  primary_email: 'ada@example.com',
  primary_email_verified: true,
  primary_email_auth_enabled: true,
  display_name: 'Ada Example',
  client_metadata: null,
  client_read_only_metadata: null,
  server_metadata: null,
  profile_image_url: null,
  signed_up_at_millis: createdAtMillis,
  last_active_at_millis: createdAtMillis,
  has_password: true,
  auth_with_email: true,
  oauth_providers: [],
  selected_team_id: null,
  selected_team: null,
  requires_totp_mfa: false,
  otp_auth_enabled: false,
  passkey_auth_enabled: false,
  is_anonymous: false,
};

const membership = { team_id: team.id, user_id: user.id };
const teamPermission = { id: 'team_member', ...membership };
const projectPermission = { id: 'example_permission', user_id: user.id };

/**
 * The data of an invented event of each type, for tests of an endpoint. Its ids name nothing
 * (docs/contract/emails-webhooks-metrics.md#webhooks).
 */
export const exampleData: Readonly<Record<WebhookEventType, object>> = {
  'user.created': user,
  'user.updated': user,
  'user.deleted': { id: user.id, teams: [{ id: team.id }] },
  'team.created': team,
  'team.updated': team,
  'team.deleted': { id: team.id },
  'team_membership.created': membership,
  'team_membership.deleted': membership,
  'team_permission.created': teamPermission,
  'team_permission.deleted': teamPermission,
  'project_permission.created': projectPermission,
  'project_permission.deleted': projectPermission,
};
