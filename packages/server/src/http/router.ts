import { apiPath, type Endpoint, pathParameters } from '@tessera/protocol';
import { Hono } from 'hono';
import { getPathNoStrict } from 'hono/utils/url';
import type { Connection } from '../core/connection.ts';
import type { BoundRoute } from './bind.ts';
import { isFromDeveloper } from './listener/host.ts';
import type { Incoming, Pipeline } from './pipeline.ts';
import { commonHeaders, textType } from './response/respond.ts';

/** The whole server as a function: hosts and tests call it without a socket. */
export type App = (request: Request, connection?: Connection) => Promise<Response>;

/** Prefixes that name the same API as `apiPath` (docs/contract/envelope.md#base-path). */
const otherPrefixes = /^\/api\/(?:latest|v2beta[1-4])(?=\/|$)/;

type Pages = Hono<{ Bindings: Connection }>;

export interface RouterOptions {
  readonly publicUrl: string;
  readonly pipeline: Pipeline;
  /** Each endpoint of the table with its handler. */
  readonly routes: readonly BoundRoute[];
  /** Routes below `/api` that do not take the pipeline, because they have a format of their own. */
  readonly foreignRoutes: readonly Pages[];
  /** Pages outside of `/api`. Those below `/dev` are only for callers on this machine. */
  readonly pages: readonly Pages[];
}

/** Finds the route of each request. */
export function createRouter({ publicUrl, pipeline, routes, foreignRoutes, pages }: RouterOptions): App {
  // Routes are registered for one prefix. For each prefix again, they would take six times the time and the memory.
  const hono = new Hono<{ Bindings: Connection }>({ getPath: pathOf });
  /** The endpoints without parameters, by method and path: one lookup instead of Hono's search and context. */
  const withoutParameters = new Map<string, ReturnType<Pipeline['serve']>>();

  for (const foreign of foreignRoutes) hono.route('/', foreign);
  hono.options('/api/*', () => pipeline.preflight());
  const sorted = [...routes].sort(compareParameterCounts);
  for (const route of sorted) {
    const serve = pipeline.serve(route);
    const path = apiPath + honoPath(route.endpoint.path);
    if (pathParameters(route.endpoint.path).length === 0) {
      withoutParameters.set(`${route.endpoint.method} ${path}`, serve);
    }
    hono.on(route.endpoint.method, path, ({ req, env }) => serve(toIncoming(req.raw, req.param(), env.peerAddress)));
  }

  const asText = { ...commonHeaders(publicUrl.startsWith('https:')), 'content-type': textType };
  const nothingHere = () => new Response('There is nothing here.', { status: 404, headers: asText });
  hono.use('/dev/*', (context, next) => {
    const isAllowed = isFromDeveloper(context.req.raw, context.env.peerAddress, publicUrl);
    return isAllowed ? next() : Promise.resolve(nothingHere());
  });
  for (const page of pages) hono.route('/', page);

  const isKnownPath = createPathMatcher(sorted.map(route => route.endpoint));
  // A handler here instead of a route: with a second handler for a path Hono composes the two at each request.
  hono.notFound(context => {
    if (/^\/api(?:\/|$)/.test(context.req.path)) return refuseUnknown(context.req.raw, pipeline, isKnownPath);
    return nothingHere();
  });

  return async (request, connection = {}) => {
    const serve = withoutParameters.get(`${request.method} ${pathOf(request)}`);
    return serve?.(toIncoming(request, {}, connection.peerAddress)) ?? hono.fetch(request, connection);
  };
}

function pathOf(request: Request): string {
  return withMainPrefix(getPathNoStrict(request));
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
    const main = withMainPrefix(path);
    if (main !== apiPath && !main.startsWith(`${apiPath}/`)) return false;
    const below = main.slice(apiPath.length) || '/';
    return patterns.some(pattern => pattern.test(below));
  };
}

/** `/api/latest/users` becomes `/api/v1/users`. */
function withMainPrefix(path: string): string {
  return path.startsWith(apiPath) ? path : path.replace(otherPrefixes, apiPath);
}

function toIncoming(request: Request, params: Record<string, string>, peerAddress?: string): Incoming {
  return { request, params, query: readQuery(request.url), peerAddress };
}

const noQuery: Record<string, string> = {};

function readQuery(url: string): Record<string, string> {
  const start = url.indexOf('?');
  return start === -1 ? noQuery : Object.fromEntries(new URLSearchParams(url.slice(start)));
}
