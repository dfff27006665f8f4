import type { ContactChannel, UserFields } from '@tessera/client';

/** A sign-in method of the account. */
export type SignInMethodId = 'password' | 'otp' | 'passkey' | `provider:${string}`;

type Ways = Pick<UserFields, 'hasPassword' | 'otpAuthEnabled' | 'passkeyAuthEnabled' | 'oauthProviders'>;

/** The sign-in methods of an account. */
export function methodsOf(user: Ways): readonly SignInMethodId[] {
  const ways: SignInMethodId[] = [];
  if (user.hasPassword) ways.push('password');
  if (user.otpAuthEnabled) ways.push('otp');
  if (user.passkeyAuthEnabled) ways.push('passkey');
  return [...ways, ...user.oauthProviders.map(({ id }) => `provider:${id}` as const)];
}

/** Whether this is the last sign-in method of the account. */
export function isOnlyWay(user: Ways, way: SignInMethodId): boolean {
  const ways = methodsOf(user);
  return ways.length === 1 && ways[0] === way;
}

type Channel = Pick<ContactChannel, 'value' | 'isPrimary' | 'isVerified' | 'usedForAuth'>;

/** Primary first, then verified ones, then the rest, each by address. */
export function inOrder<C extends Channel>(channels: readonly C[]): readonly C[] {
  const rank = ({ isPrimary, isVerified }: C) => (isPrimary ? 0 : isVerified ? 1 : 2);
  return [...channels].sort((one, other) => rank(one) - rank(other) || one.value.localeCompare(other.value));
}

/** Why an address cannot be removed or unused for sign-in. */
export function isOnlySignInAddress(channel: Channel, channels: readonly Channel[]): boolean {
  return channel.usedForAuth && channels.filter(({ usedForAuth }) => usedForAuth).length === 1;
}

/** An address that sign-in codes and links are sent to. */
export function signInAddress<C extends Channel>(channels: readonly C[]): C | undefined {
  return channels.find(({ usedForAuth }) => usedForAuth);
}

export function hasVerifiedSignInAddress(channels: readonly Channel[]): boolean {
  return channels.some(({ usedForAuth, isVerified }) => usedForAuth && isVerified);
}
