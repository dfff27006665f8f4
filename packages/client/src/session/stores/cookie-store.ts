import type { Tokens } from '../../app/config/options.ts';
import { createListeners } from '../../cache/listeners.ts';
import type { Page } from '../../platform/platform.ts';
import { isSameTokens } from '../tokens.ts';
import {
  accessCookie,
  accessCookieLifeSeconds,
  cookieText,
  deletionTexts,
  httpsCookie,
  legacyRefreshCookie,
  parseCookies,
  refreshCookie,
  refreshCookieLifeSeconds,
  tokensFrom,
} from './cookies.ts';
import type { TokenStore } from './store.ts';

const pollIntervalMs = 100;

/**
 * Keeps tokens in the cookies of a page, which all tabs share. While there is a listener, the cookies are polled for
 * changes by other tabs; a broadcast channel reports them sooner.
 * Controls 37, 38.
 */
export function createCookieStore(page: Page, projectId: string): TokenStore {
  const listeners = createListeners();
  const channel = page.openChannel(`tessera-tokens-${projectId}`, sync);
  // Where cookies cannot be written (blocked, sandboxed), what we hold is right and what we read is not.
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
      isBlocked = !write(page, projectId, tokens);
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
function write(page: Page, projectId: string, { accessToken, refreshToken }: Tokens): boolean {
  const pair = refreshToken !== null && accessToken !== null ? JSON.stringify([refreshToken, accessToken]) : null;
  writeOne(page, legacyRefreshCookie, null, 0);
  // The pair first: a tab that reads in between sees the old refresh token without an access token, not a stranger.
  writeOne(page, accessCookie, pair, accessCookieLifeSeconds);
  writeOne(page, refreshCookie(projectId), refreshToken, refreshCookieLifeSeconds);
  markHttps(page);
  return tokensFrom(parseCookies(page.cookies.read()), projectId).refreshToken === refreshToken;
}

/**
 * Leaves exactly one cookie of this name, or none: variants with another path or domain would hide ours. A value that is
 * there already is written again, because Safari deletes a cookie 7 days after a script last wrote it.
 */
function writeOne(page: Page, name: string, value: string | null, maxAgeSeconds: number): void {
  const found = parseCookies(page.cookies.read()).get(name) ?? [];
  const url = new URL(page.href());
  if (found.length > (value === null ? 0 : 1)) {
    for (const text of deletionTexts(name, url)) page.cookies.write(text);
  }
  if (value !== null) {
    page.cookies.write(cookieText(name, value, { maxAgeSeconds, isSecure: url.protocol === 'https:' }));
  }
}

/** Tells our own server that the site is on https: this cookie exists only there. */
function markHttps(page: Page): void {
  if (page.href().startsWith('https:')) page.cookies.write(cookieText(httpsCookie, 'true', { isSecure: true }));
}
