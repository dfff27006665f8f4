import { apiPath } from '@tessera/protocol';
import type { Connection } from '../core/connection.ts';
import type { HttpRequest } from '../core/http-request.ts';
import { randomRequestId } from '../platform/crypto/random.ts';
import type { Log } from '../platform/observability/log.ts';
import type { BoundRoute } from './bind.ts';
import { isFromDeveloper } from './listener/host.ts';
import type { Incoming, Pipeline } from './pipeline.ts';
import { textType } from './response/content-types.ts';
import { toFailure } from './response/failures.ts';
import { type Reply, withoutBody } from './response/reply.ts';
import { commonHeaders } from './response/respond.ts';
import { createRouteTable, type Route } from './route-table.ts';

/** Answers every request. */
export type Handler = (request: HttpRequest, connection: Connection) => Promise<Reply>;

/** A route that does not take the pipeline of the API. */
export type Page = Route<(incoming: Incoming) => Reply | Promise<Reply>>;

/** Prefixes that name the same API as `apiPath` (docs/contract/envelope.md#base-path). */
const otherPrefixes = /^\/api\/(?:latest|v2beta[1-4])(?=\/|$)/;

export interface RouterOptions {
  readonly publicUrl: string;
  readonly isDevelopment: boolean;
  readonly log: Log;
  readonly pipeline: Pipeline;
  /** Each endpoint of the table with its handler. */
  readonly routes: readonly BoundRoute[];
  /** Pages, and routes below `/api` with a format of their own. Those below `/dev` are only for callers on this machine. */
  readonly pages: readonly Page[];
}

/** Finds the route of each request. */
export function createRouter(options: RouterOptions): Handler {
  const { pipeline, routes, pages } = options;
  const respondAsText = createTextReply(options.publicUrl);
  const table = createRouteTable([
    ...routes.map(route => ({ ...locate(route), value: pipeline.serve(route) })),
    { method: 'OPTIONS', path: '/api/*', value: () => pipeline.preflight() },
    ...pages.map(page => ({ ...page, value: servePage(page, respondAsText, options) })),
  ]);

  async function answer(request: HttpRequest, { peerAddress }: Connection): Promise<Reply> {
    const path = readPath(request.url);
    const found = table.find(request.method === 'HEAD' ? 'GET' : request.method, path);
    const incoming = { request, params: found?.params ?? {}, query: readQuery(request.url), peerAddress };
    if (found !== undefined) return found.value(incoming);
    if (!/^\/api(?:\/|$)/.test(path)) return respondAsText(nothingHere);
    return refuseUnknown(incoming, pipeline, table.methodsOf(path));
  }

  return async (request, connection) => {
    const reply = await answer(request, connection);
    return request.method === 'HEAD' ? withoutBody(reply) : reply;
  };
}

/** The path of an endpoint below `/api`; the root of the API has no slash at its end. */
function locate({ endpoint: { method, path } }: BoundRoute): { method: string; path: string } {
  return { method, path: path === '/' ? apiPath : apiPath + path };
}

interface TextAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const nothingHere: TextAnswer = { status: 404, body: 'There is nothing here.' };

function createTextReply(publicUrl: string): (answer: TextAnswer) => Reply {
  const plain = { ...commonHeaders(publicUrl.startsWith('https:')), 'content-type': textType };
  return ({ status, body, headers }) => ({ status, headers: { ...plain, ...headers }, body });
}

/** Serves a page. An error becomes a text; pages below `/dev` exist only for callers on this machine. */
function servePage(
  { path, value: serve }: Page,
  respondAsText: (answer: TextAnswer) => Reply,
  { publicUrl, isDevelopment, log }: RouterOptions,
): Page['value'] {
  const isForDeveloper = path.startsWith('/dev/');
  return async incoming => {
    if (isForDeveloper && !isFromDeveloper(incoming.request, incoming.peerAddress, publicUrl)) {
      return respondAsText(nothingHere);
    }
    try {
      return await serve(incoming);
    } catch (error) {
      const requestId = randomRequestId();
      const failure = toFailure(error, { requestId, showsDetails: isDevelopment });
      if (!failure.isExpected) log.error({ requestId, path, error }, 'a page failed');
      return respondAsText(failure);
    }
  };
}

function refuseUnknown(incoming: Incoming, pipeline: Pipeline, methods: readonly string[]): Promise<Reply> {
  const { method, url } = incoming.request;
  const { pathname } = new URL(url);
  const sentence =
    methods.length > 0 ? `${method} is not possible on ${pathname}.` : `There is nothing at ${pathname}.`;
  return pipeline.serveUnknown(incoming, { sentence, methods });
}

/** The path of a URL with the main prefix of the API, without a slash at its end. */
function readPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const length = url.slice(start).search(/[?#]/);
  const path = length === -1 ? url.slice(start) : url.slice(start, start + length);
  const withoutSlash = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return withoutSlash.startsWith(apiPath) ? withoutSlash : withoutSlash.replace(otherPrefixes, apiPath);
}

const noQuery: Record<string, string> = {};

function readQuery(url: string): Record<string, string> {
  const start = url.indexOf('?');
  return start === -1 ? noQuery : Object.fromEntries(new URLSearchParams(url.slice(start)));
}
