/** A request as the stub saw it. */
export interface Seen {
  readonly method: string;
  /** With the query, without the host. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  readonly signal: AbortSignal | undefined;
}

type Handler = (request: Seen) => Response | Promise<Response>;

/** A server that answers by route, e.g. `GET /api/v1/users/me`; `*` answers the rest. */
export type StubRoutes = Record<string, Handler>;

export function createStubServer(routes: StubRoutes = {}) {
  const seen: Seen[] = [];
  const stub: typeof fetch = async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    const body = init.body === undefined || init.body === null ? '' : String(init.body);
    const method = init.method ?? 'GET';
    const headers = new Headers(init.headers);
    const request = { method, path: pathname + search, headers, body, signal: init.signal ?? undefined };
    seen.push(request);
    const handler = routes[`${request.method} ${pathname}`] ?? routes['*'];
    if (!handler) throw new Error(`the stub has no answer to ${request.method} ${pathname}`);
    return handler(request);
  };
  return {
    fetch: stub,
    routes,
    seen,
    /** Requests to a route so far. */
    to: (route: string) => seen.filter(({ method, path }) => `${method} ${path.split('?')[0]}` === route),
  };
}

export type StubServer = ReturnType<typeof createStubServer>;

export function json(body: unknown, init: ResponseInit = {}): Response {
  return Response.json(body, init);
}

/** A known error as our server sends it to an SDK: status 200, the real one in a header. */
export function knownError(code: string, status: number, details?: object): Response {
  return Response.json(
    { code, ...(details && { details }), error: `words about ${code}` },
    { headers: { 'x-stack-known-error': code, 'x-stack-actual-status': String(status) } },
  );
}

export function text(status: number, body: string, headers: Record<string, string> = {}): Response {
  return new Response(body, { headers: { ...headers, 'x-stack-actual-status': String(status) } });
}

/** What `fetch` does without a connection. */
export function noConnection(): never {
  throw new TypeError('fetch failed');
}

/** What `fetch` does when a server accepts the connection and never answers. */
export function noResponse({ signal }: Seen): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

/** A response whose connection breaks inside its JSON body. */
export function brokenBody(headers: Record<string, string> = {}): Response {
  const body = new ReadableStream({
    start: controller => controller.error(new TypeError('terminated')),
  });
  return new Response(body, { headers: { 'content-type': 'application/json', ...headers } });
}
