import { fail, webhookEndpoints, webhookEventTypes } from '@tessera/protocol';
import type { Settings } from '../../env.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import type { Page } from '../../http/router.ts';
import { portalToken } from './delivery/svix-forwarding.ts';
import { type SvixEndpointDeps, svixEndpointRoutes } from './svix-api/endpoints.ts';
import { type SvixHistoryDeps, svixHistoryRoutes } from './svix-api/history.ts';
import { type SvixManualDeliveryDeps, svixManualDeliveryRoutes } from './svix-api/manual-deliveries.ts';
import { type SvixApiDeps, serveSvix } from './svix-api/serve.ts';
import { svixSigningSecretRoutes } from './svix-api/signing-secrets.ts';
import { issuePortalToken } from './svix-api/token.ts';

type WebhookRoutesDeps = SvixEndpointDeps &
  SvixHistoryDeps &
  SvixManualDeliveryDeps &
  Omit<SvixApiDeps, 'inTurn'> & {
    readonly settings: Pick<Settings, 'publicUrl' | 'svix'>;
    readonly fetch: typeof fetch;
  };

export function webhookRoutes(deps: WebhookRoutesDeps): BoundRoute[] {
  const { svix } = deps.settings;
  return [
    bind(webhookEndpoints.svixToken, async ({ project, ownerId, ownerSessionId, ownerRole, keySetId }) => {
      if (svix === undefined) {
        return { token: issuePortalToken({ projectId: project.id, ownerId, ownerSessionId, keySetId }, deps) };
      }
      // A Svix server knows no roles.
      if (ownerRole === 'viewer') {
        fail('PROJECT_ROLE_INSUFFICIENT', { actual_role: ownerRole, required_role: 'admin' });
      }
      return { token: await portalToken(project, svix, deps) };
    }),

    bind(webhookEndpoints.readSettings, () => ({
      server_url: svix?.url ?? deps.settings.publicUrl,
      event_types: [...webhookEventTypes],
    })),
  ];
}

/** The Svix-compatible routes below `/api/v1/app`. Mounted only without a configured Svix server. */
export function svixRoutes(deps: WebhookRoutesDeps & Pick<SvixApiDeps, 'inTurn'>): Page[] {
  const routes = [
    ...svixEndpointRoutes(deps),
    ...svixSigningSecretRoutes(deps),
    ...svixHistoryRoutes(deps),
    ...svixManualDeliveryRoutes(deps),
  ];
  return serveSvix(routes, deps);
}
