import { fail } from '@tessera/protocol';
import type { ProjectConfig } from '../../../core/project-config.ts';

/** The sign-in methods of a user. */
interface Methods {
  readonly hasPassword: boolean;
  readonly otpAuthEnabled: boolean;
  readonly passkeyCount: number;
  readonly oauthAccounts: readonly { readonly id: string }[];
  readonly channels: readonly { readonly usedForAuth: boolean; readonly isVerified: boolean }[];
}

type Enabled = Pick<ProjectConfig, 'credentialEnabled' | 'magicLinkEnabled' | 'passkeyEnabled'> & {
  readonly oauthProviders: readonly { readonly id: string }[];
};

/**
 * Checks that a user can still sign in after a removal. A method that the project has switched off does not count, nor
 * does a password without a sign-in address, and sign-in by code without a verified one.
 *
 * @param remaining the methods after the removal
 * @throws LAST_SIGN_IN_METHOD
 */
export function assertOtherMethod(remaining: Methods, config: Enabled): void {
  const signInChannels = remaining.channels.filter(({ usedForAuth }) => usedForAuth);
  const hasVerified = signInChannels.some(({ isVerified }) => isVerified);
  const hasOther =
    (remaining.hasPassword && config.credentialEnabled && signInChannels.length > 0) ||
    (remaining.otpAuthEnabled && config.magicLinkEnabled && hasVerified) ||
    (remaining.passkeyCount > 0 && config.passkeyEnabled) ||
    remaining.oauthAccounts.some(account => config.oauthProviders.some(provider => provider.id === account.id));
  if (!hasOther) fail('LAST_SIGN_IN_METHOD');
}
