import { fail } from '@tessera/protocol';

/**
 * What must hold before a token is looked for, in the order of oauth.md 7.
 *
 * @throws the codes of the family, see the endpoint
 */
export function assertConnected(
  provider: { readonly id: string; readonly type: 'shared' | 'standard' },
  accounts: readonly { readonly id: string }[],
): void {
  if (provider.type === 'shared') fail('OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS');
  if (!accounts.some(({ id }) => id === provider.id)) fail('OAUTH_CONNECTION_NOT_CONNECTED_TO_USER');
}
