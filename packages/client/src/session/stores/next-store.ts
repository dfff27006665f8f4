import type { NextFunctions } from '../../app/rendering/next-functions.ts';
import { type CookieScope, httpsCookie } from './cookies.ts';
import { isServerManaged, responseCookies, serverTokensFrom } from './server-cookies.ts';
import { createMemoryStore, type TokenStore } from './store.ts';

/** The tokens of the request that Next.js is answering. What changes goes back with the answer, where it may. */
export async function createNextStore({
  next,
  projectId,
  cookieDomain,
}: CookieScope & { readonly next?: NextFunctions | undefined }): Promise<TokenStore> {
  if (!next) throw new TypeError("The token store 'nextjs-cookie' requires the option nextjs on a server.");
  const { cookies, headers } = next;
  await next.connection?.();
  const jar = await cookies();
  const found = new Map<string, string[]>();
  for (const { name, value } of jar.getAll()) found.set(name, [...(found.get(name) ?? []), value]);
  // The tokens of a session that is kept on servers stay in cookies that scripts cannot read.
  const httpOnly = isServerManaged(found, projectId);
  const secure = httpOnly || found.has(httpsCookie) || (await headers?.())?.get('x-forwarded-proto') === 'https';
  const scope = { projectId, secure, httpOnly, domain: httpOnly ? undefined : cookieDomain };
  const store = createMemoryStore(serverTokensFrom(found, projectId));

  store.subscribe(() => {
    try {
      for (const { name, value, options } of responseCookies(store.get(), found, scope)) {
        // Not `delete`: the deletion of Next.js is not Secure, and browsers would keep a cookie with the prefix.
        jar.set(name, value ?? '', options);
      }
    } catch {
      // While a server component renders nothing can be written. The browser refreshes by itself.
    }
  });
  return store;
}
