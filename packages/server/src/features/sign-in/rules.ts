import { fail, passwordMinLength } from '@tessera/protocol';
import type { ProjectConfig } from '../projects/index.ts';
import { isTrustedUrl } from '../projects/rules.ts';

/** @throws PASSWORD_TOO_SHORT; the schema has refused longer ones */
export function assertNewPassword(password: string): void {
  if (password.length < passwordMinLength) fail('PASSWORD_TOO_SHORT', { min_length: passwordMinLength });
}

/**
 * Everything about a password sign-up that can be refused before the address is looked up, in the order of the
 * contract (sign-in-methods.md 3.1).
 */
export function assertMaySignUp(request: { password: string; callbackUrl: string }, config: ProjectConfig): void {
  assertPasswordsEnabled(config);
  if (!isTrustedUrl(request.callbackUrl, config)) fail('REDIRECT_URL_NOT_WHITELISTED');
  assertNewPassword(request.password);
  if (!config.signUpEnabled) fail('SIGN_UP_NOT_ENABLED');
}

/** @throws PASSWORD_AUTHENTICATION_NOT_ENABLED */
export function assertPasswordsEnabled(config: Pick<ProjectConfig, 'credentialEnabled'>): void {
  if (!config.credentialEnabled) fail('PASSWORD_AUTHENTICATION_NOT_ENABLED');
}

/**
 * Who may use an address with an e-mail code (sign-in-methods.md 4.1): the owner of a verified one, and anybody while
 * nobody has it and sign-up is on.
 *
 * @throws USER_EMAIL_ALREADY_EXISTS for an account whose address is not verified, SIGN_UP_NOT_ENABLED
 */
export function assertMayUseAddress(
  address: string,
  account: { readonly isVerified: boolean } | undefined,
  config: Pick<ProjectConfig, 'signUpEnabled'>,
): void {
  if (account?.isVerified === false) fail('USER_EMAIL_ALREADY_EXISTS', { email: address });
  if (account === undefined && !config.signUpEnabled) fail('SIGN_UP_NOT_ENABLED');
}
