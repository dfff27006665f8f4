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
import { serverTokensFrom } from './server-cookies.ts';
import { createMemoryStore, type TokenStore } from './store.ts';

/** The tokens of the request that Next.js is answering. What changes goes back with the answer, where it may. */
export async function createNextStore(next: NextFunctions, projectId: string): Promise<TokenStore> {
  const { cookies, headers } = next;
  await next.connection?.();
  const jar = await cookies();
  const found = new Map<string, string[]>();
  for (const { name, value } of jar.getAll()) found.set(name, [...(found.get(name) ?? []), value]);
  const isSecure = found.has(httpsCookie) || (await headers?.())?.get('x-forwarded-proto') === 'https';
  const store = createMemoryStore(serverTokensFrom(found, projectId));

  function write(name: string, value: string | null, maxAge: number): void {
    if (value === null) jar.delete(name);
    else jar.set(name, value, { maxAge, secure: isSecure, sameSite: 'lax', path: '/' });
  }

  store.subscribe(() => {
    const { accessToken, refreshToken }: Tokens = store.get();
    const pair = refreshToken !== null && accessToken !== null ? JSON.stringify([refreshToken, accessToken]) : null;
    try {
      write(refreshCookie(projectId), refreshToken, refreshCookieLifeSeconds);
      write(accessCookie, pair, accessCookieLifeSeconds);
      if (found.has(legacyRefreshCookie)) write(legacyRefreshCookie, null, 0);
    } catch {
      // While a server component renders nothing can be written. The browser refreshes by itself.
    }
  });
  return store;
}
