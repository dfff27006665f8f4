import { apiPath, providerTestEndpoints, providerTestLifetimeMs } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import { oauthFlowUses } from '../../../platform/rate-limits/index.ts';
import { type AuthorizeDeps, clientFor, redirectToProvider } from '../authorize/authorize.ts';
import { newFlowSecrets, readTestFlow, storeFlow } from '../authorize/flow.ts';
import { assertNavigation } from '../authorize/navigation.ts';
import { configuredProvider } from '../providers/clients.ts';
import { decryptOutcome } from './outcome.ts';
import { selectProviderTest } from './store.ts';
import { providerTestView } from './wire.ts';

const overSentence = 'This test is over, or there was none. Please begin again in the dashboard.';

/**
 * A test of a provider: the flow of a sign-in with the stored keys, whose callback only keeps what came back
 * (docs/contract/oauth.md#test-of-a-provider).
 */
export function providerTestRoutes(deps: AuthorizeDeps): BoundRoute[] {
  return [
    bind(providerTestEndpoints.create, async ({ body, project, ownerId, source }) => {
      const provider = configuredProvider(body.provider_id, project.config);
      await deps.rateLimits.spend(oauthFlowUses(project.id, source));
      // The caller learns here that there are no keys, and not the browser that follows the URL.
      await clientFor(project.id, provider, deps);
      const secrets = newFlowSecrets();
      await storeFlow(project.id, provider.id, { request: { testerId: ownerId ?? null }, secrets }, deps);
      return {
        url: `${deps.settings.publicUrl}${apiPath}/extensions/oauth-provider-tests/start?state=${secrets.state}`,
      };
    }),

    // The cookie cannot be set above: the SDK sends no cookies and accepts none.
    bind(providerTestEndpoints.start, async ({ query, request: { headers } }) => {
      assertNavigation(headers);
      const flow = await readTestFlow(query.state, deps);
      const loaded = flow === undefined ? undefined : await deps.projects.find(flow.projectId);
      if (flow === undefined || flow.isExpired || loaded === undefined) refuse(400, overSentence);
      const client = await clientFor(flow.projectId, configuredProvider(flow.providerId, loaded.project.config), deps);
      const location = await client.authorizationUrl(flow.secrets, []);
      return redirectToProvider({ location, state: query.state, cookies: headers.get('cookie'), client }, deps);
    }),

    bind(providerTestEndpoints.read, async ({ params, project, ownerId }) => {
      const test = await selectProviderTest(deps.db, project.id, {
        id: params.test_id,
        testerId: ownerId ?? null,
        notBeforeMillis: deps.clock.now() - providerTestLifetimeMs,
      });
      if (test === undefined) refuse(404, overSentence);
      return providerTestView(test, decryptOutcome(test.outcome, deps.secrets));
    }),
  ];
}
