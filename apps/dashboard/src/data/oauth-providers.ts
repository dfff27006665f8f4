import type { ProviderId } from '@tessera/client';

interface OAuthProvider {
  readonly id: ProviderId;
  readonly name: string;
  /** The installation can have keys for it. */
  readonly hasSharedKeys: boolean;
  /** Where the provider creates a client ID and its secret. */
  readonly console: string;
}

/** The providers that a project can use, in the order of the screen. */
export const oauthProviders: readonly OAuthProvider[] = [
  { id: 'google', name: 'Google', hasSharedKeys: true, console: 'https://console.cloud.google.com/apis/credentials' },
  { id: 'github', name: 'GitHub', hasSharedKeys: true, console: 'https://github.com/settings/developers' },
  { id: 'microsoft', name: 'Microsoft', hasSharedKeys: true, console: 'https://entra.microsoft.com' },
  { id: 'spotify', name: 'Spotify', hasSharedKeys: true, console: 'https://developer.spotify.com/dashboard' },
  { id: 'apple', name: 'Apple', hasSharedKeys: false, console: 'https://developer.apple.com/account/resources' },
  { id: 'bitbucket', name: 'Bitbucket', hasSharedKeys: false, console: 'https://bitbucket.org/account/settings' },
  { id: 'discord', name: 'Discord', hasSharedKeys: false, console: 'https://discord.com/developers/applications' },
  { id: 'facebook', name: 'Facebook', hasSharedKeys: false, console: 'https://developers.facebook.com/apps' },
  { id: 'gitlab', name: 'GitLab', hasSharedKeys: false, console: 'https://gitlab.com/-/user_settings/applications' },
  { id: 'linkedin', name: 'LinkedIn', hasSharedKeys: false, console: 'https://www.linkedin.com/developers/apps' },
  { id: 'x', name: 'X', hasSharedKeys: false, console: 'https://developer.x.com' },
];

/** The displayed name of a provider; the id of one that this dashboard does not know. */
export function providerName(id: string): string {
  return oauthProviders.find(provider => provider.id === id)?.name ?? id;
}
