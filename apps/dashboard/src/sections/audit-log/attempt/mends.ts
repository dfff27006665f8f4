/** The settings that decide about refused sign-ins. */
export type Mend = 'domains' | 'limits' | 'methods' | 'passwords';

/** By the code of a refusal, or by its cause. */
const mends: Readonly<Record<string, Mend>> = {
  REDIRECT_URL_NOT_WHITELISTED: 'domains',
  redirect: 'domains',
  SIGN_UP_NOT_ENABLED: 'methods',
  EMAIL_ADDRESS_NOT_ALLOWED: 'methods',
  PASSWORD_AUTHENTICATION_NOT_ENABLED: 'methods',
  PASSKEY_AUTHENTICATION_NOT_ENABLED: 'methods',
  ANONYMOUS_ACCOUNTS_NOT_ENABLED: 'methods',
  OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED: 'methods',
  CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE: 'methods',
  otp_disabled: 'methods',
  provider_client: 'methods',
  provider_scope: 'methods',
  provider_hiddenEmail: 'methods',
  PASSWORD_REQUIREMENTS_NOT_MET: 'passwords',
};

/** The setting that an admin changes to prevent a refusal; undefined when only the user can act. */
export function mendOf({ reason, cause }: { readonly reason: string; readonly cause: string | undefined }) {
  return (cause === undefined ? undefined : mends[cause]) ?? mends[reason];
}
