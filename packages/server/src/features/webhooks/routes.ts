import { webhookEndpoints, webhookEventTypes } from '@tessera/protocol';
import type { Hono } from 'hono';
import type { Connection } from '../../app.ts';
import type { Deps } from '../../deps.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { portalToken } from './delivery/svix-forwarding.ts';
import { svixEndpointRoutes } from './svix-api/endpoints.ts';
import { svixHistoryRoutes } from './svix-api/history.ts';
import { serveSvix } from './svix-api/serve.ts';
import { issuePortalToken } from './svix-api/token.ts';

export function webhookRoutes(deps: Deps): BoundRoute[] {
  const { svix } = deps.settings;
  return [
    bind(webhookEndpoints.svixToken, async ({ project, ownerId, ownerSessionId, keySetId }) => {
      if (svix !== undefined) return { token: await portalToken(project, svix, deps) };
      return { token: issuePortalToken({ projectId: project.id, ownerId, ownerSessionId, keySetId }, deps) };
    }),

    bind(webhookEndpoints.readSettings, () => ({
      server_url: svix?.url ?? deps.settings.publicUrl,
      event_types: [...webhookEventTypes],
    })),
  ];
}

/** The Svix-compatible routes below `/api/v1/app`. Mounted only without a configured Svix server. */
export function svixRoutes(deps: Deps): Hono<{ Bindings: Connection }> {
  return serveSvix([...svixEndpointRoutes(deps), ...svixHistoryRoutes(deps)], deps);
}
