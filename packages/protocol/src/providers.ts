/** The sign-in providers that a project can have (docs/contract/projects.md#oauth-providers). */
export const oauthProviderIds = [
  'google',
  'github',
  'microsoft',
  'spotify',
  'facebook',
  'discord',
  'gitlab',
  'bitbucket',
  'linkedin',
  'apple',
  'x',
] as const;

export type OAuthProviderId = (typeof oauthProviderIds)[number];

/**
 * The providers that an installation offers with its own client ids; for development
 * (docs/contract/oauth.md#provider-configuration).
 */
export const sharedOAuthProviderIds = ['github', 'google', 'microsoft', 'spotify'] as const satisfies OAuthProviderId[];

/** The display names. */
export const oauthProviderNames: Readonly<Record<OAuthProviderId, string>> = {
  google: 'Google',
  github: 'GitHub',
  microsoft: 'Microsoft',
  spotify: 'Spotify',
  facebook: 'Facebook',
  discord: 'Discord',
  gitlab: 'GitLab',
  bitbucket: 'Bitbucket',
  linkedin: 'LinkedIn',
  apple: 'Apple',
  x: 'X',
};
