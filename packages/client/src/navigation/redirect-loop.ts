import type { Config } from '../app/config/config.ts';
import type { Page } from '../platform/platform.ts';

/** More automatic redirects from a page within this time are a loop. */
const bouncesAllowed = 2;
const bounceWindowMs = 10_000;
const bouncesKey = 'tessera-bounces';

/**
 * Records an automatic redirect to the sign-in page. Returns its target, or in a loop the error page with the reason.
 */
export function loopAddress(page: Page, errorPage: string, now: number): string | undefined {
  return isLoop(page, now) ? loopError(page, errorPage) : undefined;
}

/**
 * Forgets the redirects to the sign-in page, because the visitor has typed a password or a code there. A return from a
 * provider is not a reason: it can happen without the visitor, and so be a part of the loop.
 */
export function forgetRedirects({ tabStorage }: Page): void {
  tabStorage.removeItem(bouncesKey);
}

/**
 * The error page where a redirect after a sign-in would lose the session, because the browser refuses cookies and the
 * next page load finds none. That page would send the visitor back to the sign-in page, without an explanation.
 */
export function lostSessionAddress(
  page: Page,
  { urls, redirectMethod, tokenStore }: Pick<Config, 'urls' | 'redirectMethod' | 'tokenStore'>,
): string | undefined {
  const hasCookies = tokenStore === 'cookie' || tokenStore === 'nextjs-cookie';
  // A router keeps the page, and the page holds the tokens.
  const hasRouter = typeof redirectMethod === 'object' && redirectMethod.navigate !== undefined;
  return hasCookies && !hasRouter && !keepsCookies(page) ? loopError(page, urls.error) : undefined;
}

/** Writes a test cookie in the way the tokens are written, and reads it back. */
function keepsCookies({ cookies }: Page): boolean {
  const pair = 'stack-cookie-test=1';
  cookies.write(`${pair}; path=/; max-age=60`);
  const isKept = cookies.read().includes(pair);
  cookies.write(`${pair}; path=/; max-age=0`);
  return isKept;
}

/** The error page with the reason of a redirect loop: it asks to allow cookies. */
function loopError(page: Pick<Page, 'href'>, errorPage: string): string {
  const target = new URL(errorPage, page.href());
  target.searchParams.set('errorCode', 'REDIRECT_LOOP');
  target.searchParams.set(
    'message',
    'This page and the sign-in page keep sending you to each other. Please close this tab and try again.',
  );
  return target.pathname + target.search;
}

/** A loop comes from one page again and again. A person who opens several pages that need a user is in no loop. */
function isLoop({ tabStorage, href }: Page, now: number): boolean {
  const { pathname } = new URL(href());
  const earlier = (tabStorage.getItem(bouncesKey) ?? '').split('\n').map(parseBounce);
  const recent = earlier.filter(({ time }) => time > now - bounceWindowMs && time <= now);
  const lines = [...recent, { time: now, path: pathname }].map(({ time, path }) => `${time} ${path}`);
  tabStorage.setItem(bouncesKey, lines.join('\n'));
  return recent.filter(({ path }) => path === pathname).length >= bouncesAllowed;
}

function parseBounce(line: string): { readonly time: number; readonly path: string } {
  const [time = '', ...path] = line.split(' ');
  return { time: Number(time), path: path.join(' ') };
}
