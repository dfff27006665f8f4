import { apiPath, fail, type OAuthProviderId } from '@tessera/protocol';
import * as z from 'zod';
import type { ProjectConfig } from '../../../core/project-config.ts';
import type { Settings } from '../../../env.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type MockProvider, mockProviderSecret } from '../../mock-oidc-provider/index.ts';
import { decryptClientSecret } from '../../projects/index.ts';
import { ProviderFailure } from '../rules.ts';
import { createBoundedFetch } from './bounded-fetch.ts';
import { callProvider } from './failure.ts';
import { mockProviderProfile } from './profiles.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';
import { type ProviderRow, providerRows } from './rows.ts';

export interface ProviderClientDeps {
  readonly settings: Pick<Settings, 'oauthClients' | 'oauthMockUrl' | 'publicUrl'>;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly fetch: typeof fetch;
  readonly mockProvider: MockProvider | undefined;
}

export type ConfiguredProvider = ProjectConfig['oauthProviders'][number] & { readonly id: OAuthProviderId };

/** @throws OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED */
export function configuredProvider(
  providerId: string,
  { oauthProviders }: Pick<ProjectConfig, 'oauthProviders'>,
): ConfiguredProvider {
  const provider = oauthProviders.filter(isKnown).find(({ id }) => id === providerId);
  return provider ?? fail('OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED');
}

function isKnown(provider: ProjectConfig['oauthProviders'][number]): provider is ConfiguredProvider {
  return Object.hasOwn(providerRows, provider.id);
}

/**
 * The client for a provider of a project: with the keys of the project, with those of the installation, or in
 * development with the mock provider (docs/contract/oauth.md#provider-configuration).
 *
 * @throws ProviderFailure when the mock provider does not respond; a text 400 when a shared provider has no keys
 */
export async function clientOf(
  projectId: string,
  provider: ConfiguredProvider,
  deps: ProviderClientDeps,
): Promise<ProviderClient> {
  const { clock, settings: installation } = deps;
  const redirectUri = `${installation.publicUrl}${apiPath}/auth/oauth/callback/${provider.id}`;
  const row = providerRows[provider.id];
  const common = {
    row,
    redirectUri,
    clock,
    fetch: createBoundedFetch(deps.fetch, projectId),
    settings: {},
    allowsHttp: false,
  };
  if (provider.type === 'standard') {
    const { clientId, sealedClientSecret, facebookConfigId, microsoftTenantId } = provider;
    const clientSecret = decryptClientSecret(sealedClientSecret, deps.secrets);
    return createProviderClient({
      ...common,
      clientId,
      clientSecret,
      settings: { facebookConfigId, microsoftTenantId },
    });
  }
  const keys = installation.oauthClients[provider.id];
  if (keys !== undefined) return createProviderClient({ ...common, ...keys });
  const mockProvider = await mockProviderOf(projectId, deps);
  return createProviderClient({
    ...common,
    ...mockProvider,
    clientId: provider.id,
    clientSecret: mockProviderSecret,
    allowsHttp: true,
  });
}

const discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
});

/** An OpenID issuer in place of every shared provider: the one in this server, or one that the operator configures. */
async function mockProviderOf(
  projectId: string,
  { settings, mockProvider, fetch }: ProviderClientDeps,
): Promise<{ row: ProviderRow; fetch: typeof globalThis.fetch }> {
  const issuer = settings.oauthMockUrl ?? mockProvider?.issuer;
  if (issuer === undefined) refuse(400, 'This server has no keys of its own for this provider.');
  const ask = createBoundedFetch(
    settings.oauthMockUrl === undefined && mockProvider !== undefined ? mockProvider.fetch : fetch,
    projectId,
  );
  const found = await callProvider(async () => {
    const response = await ask(`${issuer}/.well-known/openid-configuration`);
    if (!response.ok)
      throw new ProviderFailure('answer', `the discovery of the mock provider answered ${response.status}`);
    return discovery.parse(await response.json());
  });
  const row: ProviderRow = {
    authorizationEndpoint: found.authorization_endpoint,
    tokenEndpoint: found.token_endpoint,
    scopes: ['openid'],
    openId: { issuers: () => [found.issuer], algorithms: found.id_token_signing_alg_values_supported },
    profile: { fromIdToken: mockProviderProfile },
  };
  return { row, fetch: ask };
}
