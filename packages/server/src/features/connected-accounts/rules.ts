import { fail } from '@tessera/protocol';
import type { ProjectConfig } from '../projects/index.ts';

/**
 * Everything that must hold before a token is looked for, in the order of oauth.md 7.
 *
 * @throws the codes of the family, see the endpoint
 */
export function assertConnected(
  providerId: string,
  { config, accounts }: { config: Pick<ProjectConfig, 'oauthProviders'>; accounts: readonly { readonly id: string }[] },
): void {
  const provider = config.oauthProviders.find(({ id }) => id === providerId);
  if (provider === undefined) fail('OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED');
  if (provider.type === 'shared') fail('OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS');
  if (!accounts.some(({ id }) => id === providerId)) fail('OAUTH_CONNECTION_NOT_CONNECTED_TO_USER');
}
