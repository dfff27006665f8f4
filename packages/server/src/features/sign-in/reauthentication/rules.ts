import type { ProjectConfig } from '../../../core/project-config.ts';

/** The sign-in methods of a user that a reauthentication depends on. */
interface Methods {
  readonly hasPassword: boolean;
  readonly hasPasskey: boolean;
  readonly requiresTotpMfa: boolean;
  readonly primaryEmail: string | null;
  readonly primaryEmailVerified: boolean;
}

interface ReauthenticationMethod {
  readonly method: 'passkey' | 'password' | 'code';
  /** A TOTP code is needed too. */
  readonly needsTotp: boolean;
}

/**
 * The ways in which a user can reauthenticate, the quickest first. A code goes to a verified address only: an unverified
 * one may belong to another person.
 */
export function reauthenticationMethods(
  user: Methods,
  config: Pick<ProjectConfig, 'credentialEnabled' | 'passkeyEnabled' | 'passkeyCountsAsBothFactors'>,
): ReauthenticationMethod[] {
  const needsTotp = user.requiresTotpMfa;
  const passkey = { method: 'passkey', needsTotp: needsTotp && !config.passkeyCountsAsBothFactors } as const;
  return [
    ...(user.hasPasskey && config.passkeyEnabled ? [passkey] : []),
    ...(user.hasPassword && config.credentialEnabled ? [{ method: 'password', needsTotp } as const] : []),
    ...(user.primaryEmail !== null && user.primaryEmailVerified ? [{ method: 'code', needsTotp } as const] : []),
  ];
}
