import type { ProviderId } from '@tessera/client';

interface ProviderFields {
  /** The field of the provider that takes the callback URL. */
  readonly callbackUrl: string;
  /** What the provider calls the client ID, where that is not its name. */
  readonly clientId?: string;
  /** What the provider calls the client secret, where that is not its name, or how it is made. */
  readonly clientSecret?: string;
}

/** The fields of each provider's own pages, in the words of these pages. */
export const providerFields: Readonly<Record<ProviderId, ProviderFields>> = {
  google: { callbackUrl: 'Authorized redirect URIs' },
  github: { callbackUrl: 'Authorization callback URL' },
  microsoft: {
    callbackUrl: 'Redirect URI',
    clientId: 'Microsoft calls it “Application (client) ID”.',
    clientSecret: 'The “Value” of the client secret, not its “Secret ID”.',
  },
  spotify: { callbackUrl: 'Redirect URIs' },
  apple: {
    callbackUrl: 'Return URLs',
    clientId: 'The identifier of a Services ID, not of an App ID.',
  },
  bitbucket: {
    callbackUrl: 'Callback URL',
    clientId: 'Bitbucket calls it “Key”.',
    clientSecret: 'Bitbucket calls it “Secret”.',
  },
  discord: { callbackUrl: 'Redirects' },
  facebook: {
    callbackUrl: 'Valid OAuth Redirect URIs',
    clientId: 'Facebook calls it “App ID”.',
    clientSecret: 'Facebook calls it “App secret”.',
  },
  gitlab: {
    callbackUrl: 'Redirect URI',
    clientId: 'GitLab calls it “Application ID”.',
    clientSecret: 'GitLab calls it “Secret”.',
  },
  linkedin: { callbackUrl: 'Authorized redirect URLs for your app' },
  x: {
    callbackUrl: 'Callback URI / Redirect URL',
    clientId: 'The one of “OAuth 2.0”, not the API key.',
    clientSecret: 'The one of “OAuth 2.0”, not the API key secret.',
  },
};
