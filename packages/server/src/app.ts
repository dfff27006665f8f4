import { apiPath, type Endpoint, pathParameters } from '@tessera/protocol';
import { Hono } from 'hono';
import type { Connection } from './core/connection.ts';
import type { Deps } from './deps.ts';
import { selectCallUsers } from './features/accounts/users/index.ts';
import { createResponseAudit } from './features/audit/index.ts';
import { dashboardPages } from './features/dashboard/routes.ts';
import { mailCatcherPages } from './features/email/catcher/routes.ts';
import { createRunOnce } from './features/idempotency/index.ts';
import { mockProviderPages } from './features/mock-oidc-provider/routes.ts';
import { svixRoutes } from './features/webhooks/routes.ts';
import { allRoutes } from './features.ts';
import type { BoundRoute } from './http/bind.ts';
import { isFromDeveloper } from './http/listener/host.ts';
import { createPipeline, type Incoming, type Pipeline } from './http/pipeline.ts';
import { commonHeaders, textType } from './http/respond.ts';
import { servicePages } from './http/service-pages.ts';
import { batchLoad } from './platform/database/batch-load.ts';

/** The whole server as a function: hosts and tests call it without a socket. */
export type App = (request: Request, connection?: Connection) => Promise<Response>;

/** Paths that name the same API (docs/contract/envelope.md#base-path). */
const prefixes = [apiPath, '/api/latest', '/api/v2beta1', '/api/v2beta2', '/api/v2beta3', '/api/v2beta4'];

export function createApp(deps: Deps): App {
  const pipeline = createPipeline({
    projects: deps.projects,
    accessTokens: deps.accessTokens,
    clock: deps.clock,
    findUser: batchLoad(asked => selectCallUsers(deps.db, asked)),
    log: deps.log,
    metrics: deps.metrics,
    isHttps: deps.settings.publicUrl.startsWith('https:'),
    isDevelopment: deps.settings.mode === 'development',
    trustedProxyHops: deps.settings.trustedProxyHops,
    onAnswered: createResponseAudit(deps),
    runOnce: createRunOnce(deps),
  });
  const routes = allRoutes(deps).sort(compareParameterCounts);
  const hono = new Hono<{ Bindings: Connection }>({ strict: false });

  if (deps.settings.svix === undefined) hono.route('/', svixRoutes(deps));
  hono.options('/api/*', () => pipeline.preflight());
  for (const prefix of prefixes) {
    for (const route of routes) {
      const serve = pipeline.serve(route);
      const path = prefix + honoPath(route.endpoint.path);
      hono.on(route.endpoint.method, path, ({ req, env }) => serve(toIncoming(req.raw, req.param(), env.peerAddress)));
    }
  }
  const asText = { ...commonHeaders(deps.settings.publicUrl.startsWith('https:')), 'content-type': textType };
  const isKnownPath = createPathMatcher(routes.map(route => route.endpoint));
  const nothingHere = () => new Response('There is nothing here.', { status: 404, headers: asText });
  hono.use('/dev/*', (context, next) => {
    const { peerAddress } = context.env;
    const isAllowed = isFromDeveloper(context.req.raw, peerAddress, deps.settings.publicUrl);
    return isAllowed ? next() : Promise.resolve(nothingHere());
  });
  if (deps.settings.mode === 'development') hono.route('/', mailCatcherPages(deps));
  if (deps.mockProvider !== undefined) hono.route('/', mockProviderPages(deps.mockProvider));
  hono.route('/', dashboardPages(deps));
  hono.route('/', servicePages(deps));
  // A handler here instead of a route: with a second handler for a path Hono composes the two at each request.
  hono.notFound(context => {
    if (/^\/api(?:\/|$)/.test(context.req.path)) return refuseUnknown(context.req.raw, pipeline, isKnownPath);
    return nothingHere();
  });

  return async (request, connection = {}) => hono.fetch(request, connection);
}

function refuseUnknown(
  request: Request,
  pipeline: Pipeline,
  isKnownPath: (path: string) => boolean,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const incoming = toIncoming(request, {});
  if (isKnownPath(pathname)) {
    return pipeline.serveUnknown(incoming, {
      status: 405,
      sentence: `${request.method} is not possible on ${pathname}.`,
    });
  }
  return pipeline.serveUnknown(incoming, { status: 404, sentence: `There is nothing at ${pathname}.` });
}

/** Sorts `/auth/sessions/current` before `/auth/sessions/{id}`. */
function compareParameterCounts(one: BoundRoute, other: BoundRoute): number {
  return pathParameters(one.endpoint.path).length - pathParameters(other.endpoint.path).length;
}

/** `/users/{user_id}` becomes `/users/:user_id`; the root of the API has no slash after its prefix. */
function honoPath(path: string): string {
  return path === '/' ? '' : path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Returns a function that reports whether any endpoint has a path, with any method. */
function createPathMatcher(table: readonly Endpoint[]): (path: string) => boolean {
  const patterns = table.map(
    ({ path }) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  );
  return path => {
    const prefix = prefixes.find(one => path === one || path.startsWith(`${one}/`));
    const below = prefix === undefined ? undefined : path.slice(prefix.length) || '/';
    return below !== undefined && patterns.some(pattern => pattern.test(below));
  };
}

function toIncoming(request: Request, params: Record<string, string>, peerAddress?: string): Incoming {
  return { request, params, query: readQuery(request.url), peerAddress };
}

const noQuery: Record<string, string> = {};

function readQuery(url: string): Record<string, string> {
  const start = url.indexOf('?');
  return start === -1 ? noQuery : Object.fromEntries(new URLSearchParams(url.slice(start)));
}
