import { fail, parseUrl, passkeysMax } from '@tessera/protocol';
import type { ProjectConfig } from '../../../core/project-config.ts';
import type { CallUser } from '../../../core/user.ts';
import { refuse } from '../../../http/refusal.ts';

/**
 * EdDSA, ES256, RS256, in the order of preference that browsers get
 * (docs/contract/sign-in-methods.md#passkey-registration-start).
 */
export const supportedAlgorithms = [-8, -7, -257] as const;

/** WebAuthn Level 3, 7.1: longer credential ids are refused. */
const credentialIdMaxBytes = 1023;

/** Transports that browsers accept in a credential descriptor (WebAuthn Level 3, 5.8.4). */
const knownTransports = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/** @throws PASSKEY_AUTHENTICATION_NOT_ENABLED */
export function assertPasskeysEnabled(config: Pick<ProjectConfig, 'passkeyEnabled'>): void {
  if (!config.passkeyEnabled) fail('PASSKEY_AUTHENTICATION_NOT_ENABLED');
}

/** @throws text error 400 */
export function assertPlaceForPasskey(registered: readonly unknown[]): void {
  if (registered.length >= passkeysMax) refuse(400, `A user can have ${passkeysMax} passkeys at most.`);
}

/**
 * Whether a passkey replaces the second factor. The user must have been verified at the registration too: the finder of a
 * security key without a PIN can set one, and the key then reports a verified user (WebAuthn Level 3, 7.2, step 25).
 */
export function provesBothFactors(
  isUserVerified: { readonly atRegistration: boolean; readonly now: boolean },
  config: Pick<ProjectConfig, 'passkeyCountsAsBothFactors'>,
): boolean {
  return config.passkeyCountsAsBothFactors && isUserVerified.atRegistration && isUserVerified.now;
}

export type OriginVerdict = 'trusted' | 'untrusted' | 'no origin';

/**
 * Whether a page may register passkeys and sign in with them (docs/contract/sign-in-methods.md#passkey-origin):
 * `localhost` where the project allows it, any other origin only when it equals a trusted domain, port included.
 * Stricter than for links, because a passkey of one page signs in on every page of its host.
 */
export function originVerdict(
  origin: string,
  config: Pick<ProjectConfig, 'allowLocalhost' | 'domains'>,
): OriginVerdict {
  const url = parseUrl(origin);
  if (url === undefined) return 'no origin';
  // Browsers send an origin in exactly this form.
  if (url.origin !== origin) return 'untrusted';
  const isAllowed =
    url.hostname === 'localhost' ? config.allowLocalhost : config.domains.some(({ domain }) => domain === origin);
  return isAllowed ? 'trusted' : 'untrusted';
}

/** The user handle that an authenticator stores: the text of the user id, as base64url. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId, 'utf8').toString('base64url');
}

const namelessUser = 'My account';

/** The name of the account in the prompts of a browser. */
export function promptNameOf(user: Pick<CallUser, 'displayName' | 'primaryEmail'>): string {
  return user.displayName ?? user.primaryEmail ?? namelessUser;
}

/** True for a credential id that can be stored and compared. */
export function isCredentialId(id: string): boolean {
  return Buffer.from(id, 'base64url').length <= credentialIdMaxBytes;
}

/** The known transports, each once: the page sends the list, and gets it back. */
export function transportsToKeep(transports: readonly string[] | undefined): string[] {
  return [...new Set(transports)].filter(transport => knownTransports.has(transport));
}

const noModel = '00000000-0000-0000-0000-000000000000';

/** The AAGUID of a registration; null when the authenticator does not name its model (WebAuthn Level 3, 6.5.1). */
export function modelOf(aaguid: string): string | null {
  return aaguid === noModel ? null : aaguid;
}
