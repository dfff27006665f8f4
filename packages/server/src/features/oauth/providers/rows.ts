import { githubTokenLifetimeMs, type OAuthProviderId } from '@tessera/protocol';
import { appleClientSecret } from './apple-client-secret.ts';
import {
  bitbucketProfile,
  type Documents,
  discordProfile,
  facebookProfile,
  githubProfile,
  gitlabProfile,
  idTokenProfile,
  microsoftProfile,
  openIdProfile,
  type RawProfile,
  spotifyProfile,
  xProfile,
} from './profiles.ts';

/** What a project can configure at a provider beside its keys. */
export interface ProviderSettings {
  readonly facebookConfigId?: string | undefined;
  readonly microsoftTenantId?: string | undefined;
}

/** Where the profile comes from: endpoints that are called with the access token, or the ID token. */
type ProfileSource =
  | {
      /** Endpoints by name. `user` also serves to check whether an access token is accepted. */
      readonly documents: Readonly<Record<string, string>> & { readonly user: string };
      /** Endpoints that may fail. */
      readonly optional?: readonly string[];
      /** An account without an address cannot sign in. */
      readonly needsEmail?: true;
      readonly headers?: Readonly<Record<string, string>>;
      readonly toProfile: (documents: Documents) => RawProfile;
    }
  | {
      readonly fromIdToken: (claims: unknown) => RawProfile;
      /** The URL of the keys that sign it; without it the signature is not checked. */
      readonly keys?: string;
    };

/**
 * A provider, from its own documentation (docs/contract/oauth.md#providers). `{tenant}` in a URL is the Microsoft
 * tenant.
 */
export interface ProviderRow {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** The scopes of every sign-in. */
  readonly scopes: readonly string[];
  /** Added to the authorization request. */
  readonly parameters?: (settings: ProviderSettings) => Readonly<Record<string, string | undefined>>;
  /** The client authenticates in the body of the token request; by default with HTTP Basic. */
  readonly sendsSecretInBody?: true;
  /** The secret of a token request, where it is not the configured one. */
  readonly secretOf?: (clientId: string, configured: string, nowMillis: number) => string;
  readonly hasNoPkce?: true;
  /** OpenID Connect. */
  readonly openId?: {
    /** The accepted issuers of an ID token. The first one is also the issuer of the provider's other responses. */
    readonly issuers: (settings: ProviderSettings, tokenTenant: string) => readonly string[];
    readonly repeatsNonce?: true;
    /** The signature algorithms of ID tokens; RS256 by default. */
    readonly algorithms?: readonly string[] | undefined;
  };
  /** The lifetime of access tokens where the provider does not send one. */
  readonly tokenLifetimeMs?: number;
  readonly profile: ProfileSource;
}

/** Control 53: the issuers of a provider are fixed here, before any key is fetched. */
export const providerRows: Readonly<Record<OAuthProviderId, ProviderRow>> = {
  google: {
    authorizationEndpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenEndpoint: 'https://oauth2.googleapis.com/token',
    scopes: ['https://www.googleapis.com/auth/userinfo.email', 'https://www.googleapis.com/auth/userinfo.profile'],
    parameters: () => ({ prompt: 'consent', include_granted_scopes: 'true' }),
    openId: { issuers: () => ['https://accounts.google.com', 'accounts.google.com'] },
    profile: {
      documents: { user: 'https://openidconnect.googleapis.com/v1/userinfo' },
      toProfile: openIdProfile,
    },
  },
  github: {
    authorizationEndpoint: 'https://github.com/login/oauth/authorize',
    tokenEndpoint: 'https://github.com/login/oauth/access_token',
    scopes: ['user:email'],
    tokenLifetimeMs: githubTokenLifetimeMs,
    profile: {
      documents: { user: 'https://api.github.com/user', emails: 'https://api.github.com/user/emails' },
      headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
      toProfile: githubProfile,
    },
  },
  microsoft: {
    authorizationEndpoint: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
    tokenEndpoint: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
    scopes: ['User.Read', 'openid'],
    openId: { issuers: microsoftIssuers, repeatsNonce: true },
    profile: { documents: { user: 'https://graph.microsoft.com/v1.0/me' }, toProfile: microsoftProfile },
  },
  spotify: {
    authorizationEndpoint: 'https://accounts.spotify.com/authorize',
    tokenEndpoint: 'https://accounts.spotify.com/api/token',
    scopes: ['user-read-email', 'user-read-private'],
    profile: { documents: { user: 'https://api.spotify.com/v1/me' }, toProfile: spotifyProfile },
  },
  facebook: {
    authorizationEndpoint: 'https://facebook.com/v20.0/dialog/oauth/',
    tokenEndpoint: 'https://graph.facebook.com/v20.0/oauth/access_token',
    scopes: ['openid', 'public_profile', 'email'],
    parameters: ({ facebookConfigId }) => ({ config_id: facebookConfigId || undefined }),
    openId: { issuers: () => ['https://www.facebook.com'] },
    profile: {
      documents: {
        user: 'https://graph.facebook.com/v3.2/me?fields=id,name,email',
        picture: 'https://graph.facebook.com/v3.2/me/picture?type=small&redirect=false',
      },
      optional: ['picture'],
      needsEmail: true,
      toProfile: facebookProfile,
    },
  },
  discord: {
    authorizationEndpoint: 'https://discord.com/oauth2/authorize',
    tokenEndpoint: 'https://discord.com/api/oauth2/token',
    scopes: ['identify', 'email'],
    profile: { documents: { user: 'https://discord.com/api/users/@me' }, toProfile: discordProfile },
  },
  gitlab: {
    authorizationEndpoint: 'https://gitlab.com/oauth/authorize',
    tokenEndpoint: 'https://gitlab.com/oauth/token',
    scopes: ['read_user'],
    profile: {
      documents: { user: 'https://gitlab.com/api/v4/user', emails: 'https://gitlab.com/api/v4/user/emails' },
      toProfile: gitlabProfile,
    },
  },
  bitbucket: {
    authorizationEndpoint: 'https://bitbucket.org/site/oauth2/authorize',
    tokenEndpoint: 'https://bitbucket.org/site/oauth2/access_token',
    scopes: ['account', 'email'],
    profile: {
      documents: {
        user: 'https://api.bitbucket.org/2.0/user',
        emails: 'https://api.bitbucket.org/2.0/user/emails',
      },
      toProfile: bitbucketProfile,
    },
  },
  linkedin: {
    authorizationEndpoint: 'https://www.linkedin.com/oauth/v2/authorization',
    tokenEndpoint: 'https://www.linkedin.com/oauth/v2/accessToken',
    scopes: ['openid', 'profile', 'email'],
    sendsSecretInBody: true,
    hasNoPkce: true,
    openId: { issuers: () => ['https://www.linkedin.com/oauth', 'https://www.linkedin.com'] },
    profile: { documents: { user: 'https://api.linkedin.com/v2/userinfo' }, toProfile: openIdProfile },
  },
  apple: {
    authorizationEndpoint: 'https://appleid.apple.com/auth/authorize',
    tokenEndpoint: 'https://appleid.apple.com/auth/token',
    scopes: ['name', 'email'],
    parameters: () => ({ response_mode: 'form_post' }),
    sendsSecretInBody: true,
    secretOf: appleClientSecret,
    openId: { issuers: () => ['https://appleid.apple.com'], repeatsNonce: true },
    profile: { fromIdToken: idTokenProfile, keys: 'https://appleid.apple.com/auth/keys' },
  },
  x: {
    authorizationEndpoint: 'https://twitter.com/i/oauth2/authorize',
    tokenEndpoint: 'https://api.x.com/2/oauth2/token',
    scopes: ['users.read', 'offline.access', 'tweet.read'],
    profile: {
      documents: { user: 'https://api.x.com/2/users/me?user.fields=id,name,username,profile_image_url' },
      toProfile: xProfile,
    },
  },
};

const consumersTenant = '9188040d-6c67-4c5b-b112-36a304b66dad';
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The tenant in the URL; `consumers` by default. */
export function microsoftTenant({ microsoftTenantId }: ProviderSettings): string {
  return microsoftTenantId || 'consumers';
}

/** A token names the id of its tenant: the configured one, or any when the configured name covers several tenants. */
function microsoftIssuers(settings: ProviderSettings, tokenTenant: string): readonly string[] {
  const tenant = microsoftTenant(settings);
  const pinned = tenant === 'consumers' ? consumersTenant : uuid.test(tenant) ? tenant.toLowerCase() : tokenTenant;
  return [`https://login.microsoftonline.com/${pinned}/v2.0`];
}
