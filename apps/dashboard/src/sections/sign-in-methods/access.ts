import type { AdminProjectConfig } from '@tessera/client';

type Methods = Pick<AdminProjectConfig, 'credentialEnabled' | 'magicLinkEnabled' | 'passkeyEnabled' | 'oauthProviders'>;

/** Who can enter with the methods of a project: new users too, only users with a passkey, or no user. */
export function accessOf(config: Methods): 'everyone' | 'passkey-only' | 'no-user' {
  if (config.credentialEnabled || config.magicLinkEnabled || config.oauthProviders.length > 0) return 'everyone';
  return config.passkeyEnabled ? 'passkey-only' : 'no-user';
}
