import type { Tokens } from '../../app/config/options.ts';
import type { NextFunctions } from '../../app/rendering/next-functions.ts';
import {
  accessCookie,
  accessCookieLifeSeconds,
  httpsCookie,
  legacyRefreshCookie,
  refreshCookie,
  refreshCookieLifeSeconds,
} from './cookies.ts';
import { hostPrefix, isServerManaged, serverTokensFrom } from './server-cookies.ts';
import { createMemoryStore, type TokenStore } from './store.ts';

/** The tokens of the request that Next.js is answering. What changes goes back with the answer, where it may. */
export async function createNextStore(next: NextFunctions, projectId: string): Promise<TokenStore> {
  const { cookies, headers } = next;
  await next.connection?.();
  const jar = await cookies();
  const found = new Map<string, string[]>();
  for (const { name, value } of jar.getAll()) found.set(name, [...(found.get(name) ?? []), value]);
  // The tokens of a session that is kept on servers stay in cookies that scripts cannot read.
  const httpOnly = isServerManaged(found, projectId);
  const prefix = httpOnly ? hostPrefix : '';
  const secure = httpOnly || found.has(httpsCookie) || (await headers?.())?.get('x-forwarded-proto') === 'https';
  const store = createMemoryStore(serverTokensFrom(found, projectId));

  function write(name: string, value: string | null, maxAge: number): void {
    // The deletion of Next.js is not Secure: browsers would keep a cookie with the prefix.
    jar.set(name, value ?? '', { maxAge: value === null ? 0 : maxAge, secure, httpOnly, sameSite: 'lax', path: '/' });
  }

  store.subscribe(() => {
    const { accessToken, refreshToken }: Tokens = store.get();
    const pair = refreshToken !== null && accessToken !== null ? JSON.stringify([refreshToken, accessToken]) : null;
    try {
      write(prefix + refreshCookie(projectId), refreshToken, refreshCookieLifeSeconds);
      write(prefix + accessCookie, pair, accessCookieLifeSeconds);
      if (found.has(legacyRefreshCookie)) write(legacyRefreshCookie, null, 0);
    } catch {
      // While a server component renders nothing can be written. The browser refreshes by itself.
    }
  });
  return store;
}
