import type { RequestCookies } from '../../app/config/options.ts';
import type { CookieScope } from './cookies.ts';
import { prefixOf, responseCookies, serverTokensFrom } from './server-cookies.ts';
import { createMemoryStore, type TokenStore } from './store.ts';

/** The tokens in the cookies of a request. Changes are written to the response. Control 37. */
export function createRequestCookieStore(
  { cookies, domain, secure = true, httpOnly = false }: RequestCookies,
  { projectId, cookieDomain }: CookieScope,
): TokenStore {
  const found = new Map<string, string[]>();
  for (const { name, value } of cookies.getAll()) found.set(name, [...(found.get(name) ?? []), value]);
  const scope = { projectId, secure, httpOnly, domain: domain ?? cookieDomain };
  // Another host of the domain can set a cookie without the prefix, and so sign the visitor in to an account of an attacker.
  const store = createMemoryStore(serverTokensFrom(found, projectId, prefixOf(scope) || undefined));
  store.subscribe(() => {
    for (const { name, value, options } of responseCookies(store.get(), found, scope)) {
      cookies.set(name, value ?? '', options);
    }
  });
  return store;
}
