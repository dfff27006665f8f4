/** The sign-in providers that a project can have (projects.md 6). */
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

/** Those that an installation offers with keys of its own; meant for development (oauth.md 5). */
export const sharedOAuthProviderIds = ['github', 'google', 'microsoft', 'spotify'] as const satisfies OAuthProviderId[];

/** What people call them. */
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
