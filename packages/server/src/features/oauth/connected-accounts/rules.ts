import { fail } from '@tessera/protocol';

/** @throws OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS: shared keys belong to the installation */
export function assertOwnKeys(provider: { readonly type: 'shared' | 'standard' }): void {
  if (provider.type === 'shared') fail('OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS');
}

/** @throws OAUTH_CONNECTION_NOT_CONNECTED_TO_USER */
export function assertConnected(provider: { readonly id: string }, accounts: readonly { readonly id: string }[]): void {
  if (!accounts.some(({ id }) => id === provider.id)) fail('OAUTH_CONNECTION_NOT_CONNECTED_TO_USER');
}
