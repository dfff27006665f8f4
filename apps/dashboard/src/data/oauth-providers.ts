import type { AdminOAuthProviderConfig, ProviderId } from '@tessera/client';

interface OAuthProvider {
  readonly id: ProviderId;
  readonly name: string;
  /** Where the provider creates a client ID and its secret. */
  readonly console: string;
}

/** The providers that a project can use, in the order of the screen. */
export const oauthProviders: readonly OAuthProvider[] = [
  { id: 'google', name: 'Google', console: 'https://console.cloud.google.com/apis/credentials' },
  { id: 'github', name: 'GitHub', console: 'https://github.com/settings/developers' },
  { id: 'microsoft', name: 'Microsoft', console: 'https://entra.microsoft.com' },
  { id: 'spotify', name: 'Spotify', console: 'https://developer.spotify.com/dashboard' },
  { id: 'apple', name: 'Apple', console: 'https://developer.apple.com/account/resources' },
  { id: 'bitbucket', name: 'Bitbucket', console: 'https://bitbucket.org/account/settings' },
  { id: 'discord', name: 'Discord', console: 'https://discord.com/developers/applications' },
  { id: 'facebook', name: 'Facebook', console: 'https://developers.facebook.com/apps' },
  { id: 'gitlab', name: 'GitLab', console: 'https://gitlab.com/-/user_settings/applications' },
  { id: 'linkedin', name: 'LinkedIn', console: 'https://www.linkedin.com/developers/apps' },
  { id: 'x', name: 'X', console: 'https://developer.x.com' },
];

/** The displayed name of a provider; the id of one that this dashboard does not know. */
export function providerName(id: string): string {
  return oauthProviders.find(provider => provider.id === id)?.name ?? id;
}

/** Whether users cannot sign in with a stored provider: it has shared keys, and this installation has none for it. */
export function lacksKeys(
  provider: Pick<AdminOAuthProviderConfig, 'id' | 'type'>,
  sharedProviders: readonly ProviderId[],
): boolean {
  return provider.type === 'shared' && !sharedProviders.some(id => id === provider.id);
}
