import { expect, test } from 'vitest';
import { serverUserJson, userJson } from '../../test/apps.ts';
import { projectFromWire } from '../projects/project-object.ts';
import { serverTeamFields, teamFields } from '../teams/teams.ts';
import { clientView } from './client-view.ts';
import { serverUserFields, userFields } from './user.ts';
import { serverUpdateToWire, updateToWire } from './user-update.ts';

const team = {
  id: 't1',
  display_name: 'Crew',
  profile_image_url: null,
  client_metadata: { a: 1 },
  client_read_only_metadata: null,
};
const serverTeam = { ...team, server_metadata: 'hidden', created_at_millis: 5 };

test('a user from the wire has every field', () => {
  expect(userFields({ ...userJson, selected_team_id: 't1', selected_team: team })).toEqual({
    id: userJson.id,
    displayName: 'Ada',
    primaryEmail: 'ada@example.com',
    primaryEmailVerified: false,
    profileImageUrl: null,
    signedUpAt: new Date(1_752_000_000_000),
    clientMetadata: { theme: 'dark' },
    clientReadOnlyMetadata: null,
    hasPassword: true,
    otpAuthEnabled: false,
    passkeyAuthEnabled: false,
    isMultiFactorRequired: false,
    isAnonymous: false,
    emailAuthEnabled: true,
    oauthProviders: [],
  });
});

test('server-level JSON has more fields of a user and of a team', () => {
  const user = serverUserFields({ ...serverUserJson, selected_team: serverTeam });
  expect(user).toMatchObject({
    lastActiveAt: new Date(1_752_000_001_000),
    serverMetadata: { plan: 'secret' },
  });
  expect(serverTeamFields(serverTeam)).toEqual({
    ...teamFields(team),
    createdAt: new Date(5),
    serverMetadata: 'hidden',
  });
});

test('control 43: the client view of a server user has the keys of a client and nothing else', () => {
  expect(clientView({ ...serverUserJson, selected_team: serverTeam })).toEqual({ ...userJson, selected_team: team });
});

test('metadata is passed untouched', () => {
  const metadata = { list: [1, { deep: null }] };
  expect(userFields({ ...userJson, client_metadata: metadata }).clientMetadata).toBe(metadata);
  expect(updateToWire({ clientMetadata: metadata }).client_metadata).toBe(metadata);
});

test('an update is converted to snake case with the given members only', () => {
  const all = {
    displayName: 'Bob',
    clientMetadata: null,
    selectedTeamId: null,
    totpMultiFactorSecret: new Uint8Array([0, 255, 16]),
    profileImageUrl: null,
    otpAuthEnabled: true,
    passkeyAuthEnabled: false,
  };
  const wire = {
    display_name: 'Bob',
    client_metadata: null,
    selected_team_id: null,
    totp_secret_base64: 'AP8Q',
    profile_image_url: null,
    otp_auth_enabled: true,
    passkey_auth_enabled: false,
  };
  expect(updateToWire(all)).toEqual(wire);
  expect(JSON.stringify(updateToWire({ displayName: 'Bob' }))).toBe('{"display_name":"Bob"}');
  expect(updateToWire({ totpMultiFactorSecret: null })).toMatchObject({ totp_secret_base64: null });

  const more = {
    primaryEmail: 'b@example.com',
    primaryEmailVerified: true,
    primaryEmailAuthEnabled: true,
    clientReadOnlyMetadata: 1,
    serverMetadata: 2,
    password: 'long enough',
  };
  expect(serverUpdateToWire({ ...all, ...more })).toEqual({
    ...wire,
    primary_email: 'b@example.com',
    primary_email_verified: true,
    primary_email_auth_enabled: true,
    client_read_only_metadata: 1,
    server_metadata: 2,
    password: 'long enough',
  });
});

test('every setting of a project is mapped from the wire', () => {
  const config = {
    sign_up_enabled: true,
    credential_enabled: false,
    magic_link_enabled: true,
    passkey_enabled: false,
    client_team_creation_enabled: true,
    client_user_deletion_enabled: false,
    allow_user_api_keys: true,
    allow_team_api_keys: false,
    enabled_oauth_providers: [{ id: 'github' }],
  };
  const project = projectFromWire({ id: 'p1', display_name: 'Shop', config });
  expect(project).toEqual({
    id: 'p1',
    displayName: 'Shop',
    config: {
      signUpEnabled: true,
      credentialEnabled: false,
      magicLinkEnabled: true,
      passkeyEnabled: false,
      clientTeamCreationEnabled: true,
      clientUserDeletionEnabled: false,
      allowUserApiKeys: true,
      allowTeamApiKeys: false,
      oauthProviders: [{ id: 'github' }],
    },
  });
  expect(Object.isFrozen(project)).toBe(true);
});
