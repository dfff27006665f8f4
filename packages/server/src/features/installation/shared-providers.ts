import { type OAuthProviderId, sharedOAuthProviderIds } from '@tessera/protocol';
import type { Settings } from '../../env.ts';

/** The providers whose shared keys work: those with keys in the environment, and in development all, with the mock provider. */
export function usableSharedProviders({
  mode,
  oauthClients,
}: Pick<Settings, 'mode' | 'oauthClients'>): OAuthProviderId[] {
  return sharedOAuthProviderIds.filter(id => mode === 'development' || oauthClients[id] !== undefined);
}
