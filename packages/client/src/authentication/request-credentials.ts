import { authJsonHeader } from '@tessera/protocol/headers';
import type { RequestLike } from '../app/config/options.ts';
import { type CookieScope, cookieText, httpsCookie, parseCookies } from '../session/stores/cookies.ts';
import { headerOf, readAuthJson } from '../session/stores/request-store.ts';
import { isServerManaged, responseCookies, serverTokensFrom } from '../session/stores/server-cookies.ts';
import type { Tokens } from '../session/tokens.ts';
import { noTokens } from '../session/tokens.ts';

/** The tokens of a request, and where they were found. */
export interface Credentials {
  readonly from: 'x-stack-auth' | 'authorization' | 'cookie';
  readonly tokens: Tokens;
}

const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/**
 * The tokens of a request: `x-stack-auth`, else a JWT in `Authorization: Bearer`, else cookies. `malformed` for an
 * `x-stack-auth` header that is not the JSON of two tokens.
 */
export function credentialsOf({ headers }: RequestLike, projectId: string): Credentials | 'malformed' {
  const auth = headerOf(headers, authJsonHeader);
  if (auth) {
    const tokens = readAuthJson(auth);
    return tokens === undefined ? 'malformed' : { from: 'x-stack-auth', tokens };
  }
  const [, accessToken] = bearer.exec(headerOf(headers, 'authorization') ?? '') ?? [];
  if (accessToken !== undefined) return { from: 'authorization', tokens: { accessToken, refreshToken: null } };
  return { from: 'cookie', tokens: serverTokensFrom(parseCookies(headerOf(headers, 'cookie') ?? ''), projectId) };
}

/**
 * The `Set-Cookie` values that replace the tokens in the cookies of a request; null deletes them. They are Secure where
 * the request came by https, and HttpOnly where those of the request can only be read by servers.
 */
export function cookiesFor(
  request: RequestLike,
  { projectId, cookieDomain }: CookieScope,
  tokens: Tokens | null,
): string[] {
  const found = parseCookies(headerOf(request.headers, 'cookie') ?? '');
  const httpOnly = isServerManaged(found, projectId);
  const scope = {
    projectId,
    httpOnly,
    secure: httpOnly || cameByHttps(request),
    domain: httpOnly ? undefined : cookieDomain,
  };
  return responseCookies(tokens ?? noTokens, found, scope).map(({ name, value, options }) =>
    cookieText(name, value, {
      maxAgeSeconds: options.maxAge,
      isSecure: options.secure,
      isHttpOnly: options.httpOnly,
      domain: options.domain,
    }),
  );
}

function cameByHttps(request: RequestLike & { readonly url?: unknown }): boolean {
  if (headerOf(request.headers, 'x-forwarded-proto') === 'https') return true;
  if (typeof request.url === 'string' && request.url.startsWith('https:')) return true;
  return parseCookies(headerOf(request.headers, 'cookie') ?? '').has(httpsCookie);
}
