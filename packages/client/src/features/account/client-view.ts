import type { ServerUserJson, UserJson } from './user.ts';

type Team = NonNullable<UserJson['selected_team']>;

/** An allow list: a future server-only field stays out. */
const userKeys: Record<keyof UserJson, true> = {
  id: true,
  primary_email: true,
  primary_email_verified: true,
  display_name: true,
  client_metadata: true,
  client_read_only_metadata: true,
  profile_image_url: true,
  signed_up_at_millis: true,
  has_password: true,
  auth_with_email: true,
  oauth_providers: true,
  selected_team_id: true,
  selected_team: true,
  requires_totp_mfa: true,
  otp_auth_enabled: true,
  passkey_auth_enabled: true,
  is_anonymous: true,
};

const teamKeys: Record<keyof Team, true> = {
  id: true,
  display_name: true,
  profile_image_url: true,
  client_metadata: true,
  client_read_only_metadata: true,
};

/** The client fields of a user that a server has read. */
export function clientView(user: ServerUserJson): UserJson {
  return { ...pick(user, userKeys), selected_team: user.selected_team && pick(user.selected_team, teamKeys) };
}

function pick<Whole extends object, Key extends keyof Whole>(whole: Whole, keys: Record<Key, true>): Pick<Whole, Key> {
  return Object.fromEntries(Object.entries(whole).filter(([key]) => key in keys)) as Pick<Whole, Key>;
}
