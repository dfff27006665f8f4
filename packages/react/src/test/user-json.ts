import type { UserJson } from '@tessera/client';

/** A user as a server gives it to a browser. */
export const userJson: UserJson = {
  id: '3241a285-8329-4d69-8f3d-316e08cf140c',
  primary_email: 'ada@example.com',
  primary_email_verified: false,
  display_name: 'Ada',
  client_metadata: null,
  client_read_only_metadata: null,
  profile_image_url: null,
  signed_up_at_millis: 1,
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
