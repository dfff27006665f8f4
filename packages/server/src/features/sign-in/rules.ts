import { fail, passwordMinLength } from '@tessera/protocol';
import type { ProjectConfig } from '../../core/project-config.ts';
import type { CallUser } from '../../core/user.ts';
import { assertAddressAllowed, assertTrustedUrl } from '../projects/rules.ts';

/** @throws PASSWORD_TOO_SHORT (control 3). The schema refuses passwords that are too long. */
export function assertNewPassword(password: string): void {
  if (password.length < passwordMinLength) fail('PASSWORD_TOO_SHORT', { min_length: passwordMinLength });
}

/**
 * Every refusal of a password sign-up that needs no look-up of the address, in the order of
 * docs/contract/sign-in-methods.md#password-sign-up.
 */
export function assertMaySignUp(
  request: { address: string; password: string; callbackUrl: string },
  config: ProjectConfig,
): void {
  assertPasswordsEnabled(config);
  assertTrustedUrl(request.callbackUrl, config);
  assertNewPassword(request.password);
  if (!config.signUpEnabled) fail('SIGN_UP_NOT_ENABLED');
  assertAddressAllowed(request.address, config);
}

/** @throws PASSWORD_AUTHENTICATION_NOT_ENABLED */
export function assertPasswordsEnabled(config: Pick<ProjectConfig, 'credentialEnabled'>): void {
  if (!config.credentialEnabled) fail('PASSWORD_AUTHENTICATION_NOT_ENABLED');
}

/**
 * Whether the project still has the first factor of a second-factor attempt. An email code that was sent before the
 * method was switched off signs in (docs/contract/sign-in-methods.md#project-switches), so its attempt completes too.
 *
 * @param method undefined in an attempt of an older version
 */
export function mayCompleteAttempt(
  method: string | undefined,
  { credentialEnabled, passkeyEnabled, oauthProviders }: ProjectConfig,
): boolean {
  if (method === undefined || method === 'otp') return true;
  if (method === 'password') return credentialEnabled;
  if (method === 'passkey') return passkeyEnabled;
  return oauthProviders.some(({ id }) => id === method);
}

/** `js @stackframe/stack@2.5.37`: the last version whose page has no field for a code. */
const withoutCodeField = { name: '@stackframe/stack', version: [2, 5, 37] } as const;

/**
 * Whether a client, by its version header, can only open the link of a sign-in email
 * (docs/contract/sign-in-methods.md#magic-link-request).
 */
export function opensLinksOnly(clientVersion: string | null): boolean {
  const [, name, version = ''] = /^\w+ +(@[\w/]+)@([\d.]+)$/.exec(clientVersion ?? '') ?? [];
  return name === withoutCodeField.name && isAtMost(version.split('.').map(Number), withoutCodeField.version);
}

function isAtMost(version: readonly number[], limit: readonly number[]): boolean {
  const index = limit.findIndex((part, place) => part !== (version[place] ?? 0));
  return index === -1 || (version[index] ?? 0) < (limit[index] ?? 0);
}

/**
 * Whether the account of an address is the anonymous user who calls. It does not keep the address from a sign-up of this
 * caller (docs/contract/sign-in-methods.md#anonymous-upgrade).
 */
export function isOwnAddress(
  account: { readonly userId: string },
  caller: Pick<CallUser, 'id' | 'isAnonymous'> | null,
): boolean {
  return caller?.isAnonymous === true && caller.id === account.userId;
}

/**
 * Whether a caller may use an address with an email code (docs/contract/sign-in-methods.md#magic-link-request): a
 * verified address whose account accepts codes, and a free address with which a person may sign up.
 *
 * @throws USER_EMAIL_ALREADY_EXISTS for any other account, SIGN_UP_NOT_ENABLED, EMAIL_ADDRESS_NOT_ALLOWED
 */
export function assertMayUseAddress(
  address: string,
  account: { readonly isVerified: boolean; readonly refusesCodes: boolean } | undefined,
  config: Pick<ProjectConfig, 'signUpEnabled' | 'signUpRestrictions'>,
): void {
  if (account === undefined) {
    if (!config.signUpEnabled) fail('SIGN_UP_NOT_ENABLED');
    assertAddressAllowed(address, config);
    return;
  }
  if (!account.isVerified || account.refusesCodes) fail('USER_EMAIL_ALREADY_EXISTS', { email: address });
}

/**
 * Whether an anonymous user keeps earlier credentials in an upgrade. The person who signs up may not be the one who
 * added them: the access token may be an attacker's. They stay only when the upgrading method proves an address that the
 * user had verified before, so that both are the holder of one mailbox.
 *
 * @param email the address of the new account; verified when the upgrading method proves it
 */
export function keepsCredentials(
  email: { readonly value: string; readonly isVerified: boolean } | null,
  verifiedBefore: readonly string[],
): boolean {
  return email?.isVerified === true && verifiedBefore.includes(email.value);
}
