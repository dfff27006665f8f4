import type { ContactChannel, CurrentUser, ProjectConfig, UserFields } from '@tessera/client';

/** A sign-in method of the account. */
export type SignInMethodId = 'password' | 'otp' | 'passkey' | `provider:${string}`;

/** The props of every section about signing in. */
export interface AuthSectionProps {
  user: CurrentUser;
  channels: readonly ContactChannel[];
  /** The methods that the account can sign in with. */
  ways: readonly SignInMethodId[];
}

type Ways = Pick<UserFields, 'hasPassword' | 'otpAuthEnabled' | 'passkeyAuthEnabled' | 'oauthProviders'>;

type Config = Pick<ProjectConfig, 'credentialEnabled' | 'magicLinkEnabled' | 'passkeyEnabled' | 'oauthProviders'>;

/**
 * The methods that the account can sign in with: the project has them, a password has a sign-in address, and codes have a
 * verified one.
 */
export function methodsOf(user: Ways, config: Config, channels: readonly Channel[]): readonly SignInMethodId[] {
  const ways: SignInMethodId[] = [];
  if (user.hasPassword && config.credentialEnabled && signInAddress(channels)) ways.push('password');
  if (user.otpAuthEnabled && config.magicLinkEnabled && hasVerifiedSignInAddress(channels)) ways.push('otp');
  if (user.passkeyAuthEnabled && config.passkeyEnabled) ways.push('passkey');
  const providers = user.oauthProviders.filter(({ id }) => config.oauthProviders.some(provider => provider.id === id));
  return [...ways, ...providers.map(({ id }) => `provider:${id}` as const)];
}

/** Whether the account cannot sign in without this method. */
export function isOnlyWay(ways: readonly SignInMethodId[], way: SignInMethodId): boolean {
  return ways.every(other => other === way);
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
