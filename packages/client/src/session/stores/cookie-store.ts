import { createListeners } from '../../cache/listeners.ts';
import type { Page } from '../../platform/platform.ts';
import type { Tokens } from '../tokens.ts';
import { isSameTokens } from '../tokens.ts';
import {
  type CookieScope,
  cookieText,
  deletionTexts,
  httpsCookie,
  legacyRefreshCookie,
  parseCookies,
  tokenCookies,
  tokensFrom,
} from './cookies.ts';
import type { TokenStore } from './store.ts';

const pollIntervalMs = 100;

/**
 * Keeps tokens in the cookies of a page, which all tabs share. While there is a listener, the cookies are polled for
 * changes by other tabs; a broadcast channel reports them sooner.
 * Controls 37, 38.
 */
export function createCookieStore(page: Page, scope: CookieScope): TokenStore {
  const { projectId } = scope;
  const listeners = createListeners();
  const channel = page.openChannel(`tessera-tokens-${projectId}`, sync);
  // True where cookies cannot be written (blocked, sandboxed): then the tokens in memory are current, not those of a cookie.
  let isBlocked = false;
  let held = tokensFrom(parseCookies(page.cookies.read()), projectId);
  let undoWatch: (() => void) | undefined;
  markHttps(page);

  function sync(): void {
    if (isBlocked) return;
    const next = withHeldAccess(tokensFrom(parseCookies(page.cookies.read()), projectId), held);
    if (isSameTokens(next, held)) return;
    held = next;
    // Not at once: the reader of the store may be in the middle of rendering.
    queueMicrotask(listeners.notify);
  }

  return {
    get() {
      sync();
      return held;
    },
    set(tokens) {
      const isChanged = !isSameTokens(tokens, held);
      held = tokens;
      isBlocked = !write(page, scope, tokens);
      if (!isChanged) return;
      channel.call();
      listeners.notify();
    },
    subscribe(listener) {
      const undo = listeners.add(listener);
      undoWatch ??= page.watch(sync, pollIntervalMs);
      return () => {
        undo();
        if (listeners.size > 0) return;
        undoWatch?.();
        undoWatch = undefined;
      };
    },
    exclusive: run => page.exclusive(`tessera-refresh-${projectId}`, run),
  };
}

/** The access cookie may be missing, because it was too long or has ended; what we hold is then still good. */
function withHeldAccess(found: Tokens, held: Tokens): Tokens {
  const isSameSession = found.refreshToken !== null && found.refreshToken === held.refreshToken;
  return found.accessToken === null && isSameSession ? held : found;
}

/** @returns whether the cookies now have these values. */
function write(page: Page, { projectId, cookieDomain }: CookieScope, tokens: Tokens): boolean {
  const url = new URL(page.href());
  const isSecure = url.protocol === 'https:';
  const found = (name: string) => parseCookies(page.cookies.read()).get(name)?.length ?? 0;
  const remove = (name: string) => deletionTexts(name, url).forEach(page.cookies.write);

  if (found(legacyRefreshCookie) > 0) remove(legacyRefreshCookie);
  for (const { name, value, maxAgeSeconds } of tokenCookies(tokens, projectId)) {
    // Variants with another path or domain would hide ours.
    if (found(name) > (value === null ? 0 : 1)) remove(name);
    // A value that is there already is written again: Safari deletes a cookie 7 days after a script last wrote it.
    if (value !== null) page.cookies.write(cookieText(name, value, { maxAgeSeconds, isSecure, domain: cookieDomain }));
  }
  markHttps(page);
  return tokensFrom(parseCookies(page.cookies.read()), projectId).refreshToken === tokens.refreshToken;
}

/** Sets a cookie that only https sites have, so that the server of the app knows the scheme. */
function markHttps(page: Page): void {
  if (page.href().startsWith('https:')) page.cookies.write(cookieText(httpsCookie, 'true', { isSecure: true }));
}
