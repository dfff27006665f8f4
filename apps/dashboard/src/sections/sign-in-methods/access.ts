import type { AdminProjectConfigUpdate, ProviderId } from '@tessera/client';
import { lacksKeys } from '../../data/oauth-providers.ts';

export type Methods = Pick<
  Required<AdminProjectConfigUpdate>,
  'credentialEnabled' | 'magicLinkEnabled' | 'passkeyEnabled' | 'oauthProviders'
>;

type Access = 'everyone' | 'passkey-only' | 'no-user';

/** Who can enter with the methods of a project: new users too, only users with a passkey, or no user. */
export function accessOf(config: Methods, sharedProviders: readonly ProviderId[]): Access {
  const hasProvider = config.oauthProviders.some(provider => !lacksKeys(provider, sharedProviders));
  if (config.credentialEnabled || config.magicLinkEnabled || hasProvider) return 'everyone';
  return config.passkeyEnabled ? 'passkey-only' : 'no-user';
}

/** Who can still enter after a change that locks users out; undefined for a change that does not. */
export function accessLeft(
  config: Methods,
  change: Partial<Methods>,
  sharedProviders: readonly ProviderId[],
): Exclude<Access, 'everyone'> | undefined {
  const before = accessOf(config, sharedProviders);
  const left = accessOf({ ...config, ...change }, sharedProviders);
  return left === 'everyone' || left === before || before === 'no-user' ? undefined : left;
}
