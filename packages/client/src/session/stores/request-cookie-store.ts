import type { CookieOptions, RequestCookies } from '../../app/config/options.ts';
import {
  accessCookie,
  accessCookieLifeSeconds,
  legacyRefreshCookie,
  refreshCookie,
  refreshCookieLifeSeconds,
} from './cookies.ts';
import { hostPrefix, serverTokensFrom } from './server-cookies.ts';
import { createMemoryStore, type TokenStore } from './store.ts';

/** The tokens in the cookies of a request. Changes are written to the response. Control 37. */
export function createRequestCookieStore(init: RequestCookies, projectId: string): TokenStore {
  const { cookies, domain, secure = true, httpOnly = false } = init;
  const found = new Map<string, string[]>();
  for (const { name, value } of cookies.getAll()) found.set(name, [...(found.get(name) ?? []), value]);
  // RFC 6265bis: the prefix forbids a domain, and browsers accept it over https only.
  const prefix = httpOnly && secure && domain === undefined ? hostPrefix : '';
  // Another host of the same domain can set a cookie without the prefix, and so sign a visitor in to an account of its own.
  const store = createMemoryStore(serverTokensFrom(found, projectId, prefix || undefined));

  function write(name: string, value: string | null, maxAge: number): void {
    const options: CookieOptions = {
      maxAge: value === null ? 0 : maxAge,
      secure,
      httpOnly,
      sameSite: 'lax',
      path: '/',
      ...(domain !== undefined && { domain }),
    };
    cookies.set(name, value ?? '', options);
  }

  store.subscribe(() => {
    const { accessToken, refreshToken } = store.get();
    const pair = refreshToken !== null && accessToken !== null ? JSON.stringify([refreshToken, accessToken]) : null;
    write(prefix + refreshCookie(projectId), refreshToken, refreshCookieLifeSeconds);
    write(prefix + accessCookie, pair, accessCookieLifeSeconds);
    if (found.has(legacyRefreshCookie)) write(legacyRefreshCookie, null, 0);
  });
  return store;
}
