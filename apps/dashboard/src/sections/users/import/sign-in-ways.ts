import type { ImportedUser, ImportedUserResult } from '@tessera/client';

/** The way in which an imported user can sign in first. */
export type SignInWay = 'password' | 'code' | 'provider' | 'none';

interface Methods {
  readonly credentialEnabled: boolean;
  readonly magicLinkEnabled: boolean;
}

const ways: readonly SignInWay[] = ['password', 'code', 'provider', 'none'];

/**
 * How the user of a row can sign in, by the defaults of the import (docs/contract/user-administration.md#import). A user
 * with several ways counts for the first one of password, code and provider.
 */
function signInWayOf(user: ImportedUser, { credentialEnabled, magicLinkEnabled }: Methods): SignInWay {
  const isVerified = user.primary_email_verified === true;
  const hasHash = user.password_hash !== undefined;
  const signsIn =
    user.primary_email !== undefined &&
    (user.primary_email_auth_enabled ?? (isVerified || hasHash || user.otp_auth_enabled === true)) === true;
  if (signsIn && hasHash && credentialEnabled) return 'password';
  if (signsIn && isVerified && magicLinkEnabled) return 'code';
  const { oauth_providers: accounts } = user;
  return Array.isArray(accounts) && accounts.length > 0 ? 'provider' : 'none';
}

/** The number of created users for each way to sign in, without the ways that no user has. */
export function countSignInWays(
  users: readonly ImportedUser[],
  results: readonly Pick<ImportedUserResult, 'status'>[],
  methods: Methods,
): readonly { readonly way: SignInWay; readonly count: number }[] {
  const created = users.filter((_, index) => results[index]?.status === 'created');
  const found = created.map(user => signInWayOf(user, methods));
  return ways.map(way => ({ way, count: found.filter(one => one === way).length })).filter(({ count }) => count > 0);
}
