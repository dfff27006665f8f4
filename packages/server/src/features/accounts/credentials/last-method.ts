import { fail } from '@tessera/protocol';
import type { ProjectConfig } from '../../../core/project-config.ts';

/** The sign-in methods of a user. */
interface Methods {
  readonly hasPassword: boolean;
  readonly otpAuthEnabled: boolean;
  readonly passkeyCount: number;
  readonly oauthAccounts: readonly { readonly id: string }[];
}

type Enabled = Pick<ProjectConfig, 'credentialEnabled' | 'magicLinkEnabled' | 'passkeyEnabled'> & {
  readonly oauthProviders: readonly { readonly id: string }[];
};

/**
 * Checks that a user can still sign in after a removal. A method that the project has switched off does not count.
 *
 * @param remaining the methods after the removal
 * @throws LAST_SIGN_IN_METHOD
 */
export function assertOtherMethod(remaining: Methods, config: Enabled): void {
  const hasOther =
    (remaining.hasPassword && config.credentialEnabled) ||
    (remaining.otpAuthEnabled && config.magicLinkEnabled) ||
    (remaining.passkeyCount > 0 && config.passkeyEnabled) ||
    remaining.oauthAccounts.some(account => config.oauthProviders.some(provider => provider.id === account.id));
  if (!hasOther) fail('LAST_SIGN_IN_METHOD');
}
