/**
 * Authentication of requests in Next.js: `auth` for server components, route handlers and server actions, `proxy` for
 * `proxy.ts` (`middleware.ts` before Next.js 16). An entry point of its own, so that the proxy loads no component.
 */
import { type Authentication, type CurrentServerUser, RequestError, type ServerApp } from '@tessera/client';
import { cookies, headers } from 'next/headers.js';
import { connection, NextResponse } from 'next/server.js';
import * as React from 'react';
import { cookieHeaderOf, cookieHeaderWith, isCovered, signInAddress } from './next-routes.ts';

/** An access token that lives shorter is refreshed by the proxy, so that server components never refresh. */
const proxyMinLifeMs = 30_000;

/** When a browser may ask again for a page whose visitor could not be authenticated. */
const retryAfterSeconds = 10;

/** Options of `auth` and `proxy`. */
export interface NextAuthOptions {
  /** `feed`: the end of a session is noticed within a second. Default: when its access token expires. */
  readonly revocation?: 'token-expiry' | 'feed' | undefined;
}

type ServerAppOf = Pick<ServerApp<true>, 'authenticate' | 'urls'>;
type NextAuthentication = Authentication<CurrentServerUser>;

/** React's `cache`, which exists for server components only. Elsewhere nothing is shared between calls. */
const { cache = (load => load) as Cache } = React as { readonly cache?: Cache };
type Cache = <Load extends (...args: never[]) => unknown>(load: Load) => Load;

const authenticateOnce = cache(
  async (app: ServerAppOf, revocation: NextAuthOptions['revocation']): Promise<NextAuthentication> => {
    // A prefetch stops here. Later the SDK reads the clock, which Next.js reports as an error while it prefetches.
    await connection();
    const request = { headers: await currentHeaders() };
    const state = await app.authenticate(request, { revocation: revocation ?? 'token-expiry' });
    if (state.status === 'signed-out') return state;
    let user: Promise<CurrentServerUser | null> | undefined;
    const getUser = () => {
      user ??= state.getUser();
      return user;
    };
    return { ...state, getUser };
  },
);

/** The headers of the request. After a sign-in in a server action they have its cookies, there and in the next render. */
async function currentHeaders(): Promise<Headers> {
  const current = new Headers(await headers());
  const cookie = cookieHeaderOf(current.get('cookie') ?? '', (await cookies()).getAll());
  if (cookie !== '') current.set('cookie', cookie);
  else current.delete('cookie');
  return current;
}

/**
 * Finds the signed-in user of the request that Next.js is answering, without a request to the server. Layout, page and
 * components of one request share the result, and its `getUser` reads the user once.
 *
 * @example
 * const session = await auth(tessera);
 * if (session.status === 'signed-out') redirect('/handler/sign-in');
 * const user = await session.getUser();
 */
export function auth(app: ServerAppOf, { revocation }: NextAuthOptions = {}): Promise<NextAuthentication> {
  return authenticateOnce(app, revocation);
}

/** Options of `proxy`. */
export interface NextProxyOptions extends NextAuthOptions {
  /**
   * Paths for signed-in users only: `/account` is this path, `/account/*` is this path and all below it. Other visitors
   * are redirected to the sign-in page and back; requests other than GET are refused with 401. While Tessera cannot be
   * reached and the access token has expired, these paths answer 503; all others work.
   */
  readonly protect?: readonly string[] | undefined;
}

/** The parts of a `NextRequest` that the proxy reads. */
export interface NextProxyRequest {
  readonly headers: Headers;
  readonly method: string;
  readonly url: string;
  readonly nextUrl: { readonly pathname: string; readonly basePath: string; readonly search: string };
}

/**
 * Creates the function of `proxy.ts`. It refreshes an expiring access token and writes the new cookies, which server
 * components cannot, and keeps visitors away from protected paths.
 *
 * @example
 * export default proxy(tessera, { protect: ['/account', '/teams/*'] });
 */
export function proxy(
  app: ServerAppOf,
  { protect = [], revocation = 'token-expiry' }: NextProxyOptions = {},
): (request: NextProxyRequest) => Promise<Response> {
  return async request => {
    const isProtected = isCovered(request.nextUrl.pathname, protect);
    const state = await app.authenticate(request, { minLifeMs: proxyMinLifeMs, revocation }).catch(unreachable);
    if (state === 'unreachable') return isProtected ? unavailable() : NextResponse.next();
    const isRefused = state.status === 'signed-out' && isProtected;
    const response = isRefused ? refusal(app, request) : passOn(request, state.setCookie);
    // Client navigation reaches the sign-in page by a redirect of `refusal`. Next.js answers with another redirect, which
    // adds `_rsc`. Without Vary, Back shows the sign-in page from that entry of the HTTP cache, with `_rsc` in its address.
    response.headers.append('vary', 'rsc');
    for (const cookie of state.setCookie) response.headers.append('set-cookie', cookie);
    // A shared cache in front of a static page would give the tokens of one visitor to all others.
    if (state.setCookie.length > 0) response.headers.set('cache-control', 'private, no-store');
    return response;
  };
}

/** An outage of Tessera must not take down the pages that need no user. */
function unreachable(error: unknown): 'unreachable' {
  if (error instanceof RequestError) return 'unreachable';
  throw error;
}

function unavailable(): Response {
  const headers = { 'retry-after': String(retryAfterSeconds), 'cache-control': 'no-store' };
  return new Response('Sign-in is unavailable. Please try again.', { status: 503, headers });
}

function refusal({ urls }: ServerAppOf, { method, url, nextUrl }: NextProxyRequest): Response {
  if (method !== 'GET' && method !== 'HEAD') return Response.json({ error: 'Please sign in.' }, { status: 401 });
  const here = nextUrl.basePath + nextUrl.pathname + nextUrl.search;
  return NextResponse.redirect(signInAddress(urls.signIn, { here, url }));
}

/** The page sees the new cookies in its request, as if the browser had sent them. */
function passOn(request: NextProxyRequest, setCookie: readonly string[]): Response {
  if (setCookie.length === 0) return NextResponse.next();
  const headers = new Headers(request.headers);
  headers.set('cookie', cookieHeaderWith(headers.get('cookie') ?? '', setCookie));
  return NextResponse.next({ request: { headers } });
}
