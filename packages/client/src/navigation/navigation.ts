import { parseUrl } from '@tessera/protocol/urls';
import type { Config } from '../app/config/config.ts';
import type { Page, Platform } from '../platform/platform.ts';
import { randomText } from '../util/random-text.ts';
import { type HandlerUrls, returnParameter } from './urls.ts';

/** The time that the page has to unload, because code after a redirect should rarely run. */
const leavingMs = 2000;

/**
 * Whether a URL is relative: no host and no scheme. Characters that a browser strips (tabs, line ends) and encodings
 * that a server may decode cannot hide one.
 */
export function isRelative(url: string): boolean {
  const host = `${randomText()}.invalid`;
  // Both schemes are tested: `https:evil.example` is a path on an https page and a host on an http page.
  const origins = [`https://${host}`, `http://${host}`];
  return [url, decodeOnce(url)].every(text => origins.every(origin => staysAt(origin, text)));
}

/** A path that begins with two slashes is a host for a router that gets the path without its origin. */
function staysAt(origin: string, url: string): boolean {
  const target = parseUrl(url, origin);
  return target?.origin === origin && !target.pathname.startsWith('//');
}

/** The URL of a redirect to a page of the app, from the current page (undefined on a server). */
export function targetOf(page: keyof HandlerUrls, urls: HandlerUrls, from: URL | undefined): string {
  const url = urls[page];
  if (from === undefined) return url;
  const remembered = from.searchParams.get(returnParameter);
  if (page === 'afterSignIn' || page === 'afterSignUp') return remembered ?? url;
  // The second factor is a part of the sign-in.
  const isSignIn = page === 'signIn' || page === 'signUp' || (page === 'mfa' && remembered !== null);
  return isSignIn ? withReturn(url, from, remembered) : url;
}

function withReturn(url: string, from: URL, remembered: string | null): string {
  const target = new URL(url, from);
  const isHere = target.origin === from.origin;
  const back = remembered ?? (isHere ? pathOf(from) : null);
  if (back !== null) target.searchParams.set(returnParameter, back);
  // Another host is kept, so that the trust check sees it.
  return isHere ? pathOf(target) : target.href;
}

function pathOf({ pathname, search, hash }: URL): string {
  return pathname + search + hash;
}

function decodeOnce(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    // A lone percent sign: nothing to decode.
    return url;
  }
}

export interface Navigation {
  /** Redirects to a page of the app. @throws when its URL is not relative. */
  toPage(page: keyof HandlerUrls, options?: { replace?: boolean; noRedirectBack?: boolean }): Promise<void>;
  /** Redirects to any URL, without a check. */
  to(url: string, options?: { replace?: boolean }): Promise<void>;
}

/** Control 44: stops redirect loops. */
export function createNavigation(
  config: Pick<Config, 'urls' | 'redirectMethod' | 'next' | 'tokenStore'>,
  { page: browserPage, wait, now }: Pick<Platform, 'page' | 'wait' | 'now'>,
): Navigation {
  const { urls, redirectMethod, next } = config;
  const here = () => browserPage && new URL(browserPage.href());
  let leaving: { readonly from: string | undefined; readonly over: Promise<void> } | undefined;

  async function to(url: string, { replace = false }: { replace?: boolean } = {}): Promise<void> {
    if (redirectMethod === 'none') return;
    const from = browserPage?.href();
    if (typeof redirectMethod === 'object' && redirectMethod.navigate) {
      if (replace && redirectMethod.replacePage) redirectMethod.replacePage(url);
      else redirectMethod.navigate(url);
    } else if (!browserPage) toOnServer(url, replace);
    else if (replace) browserPage.replace(url);
    else browserPage.assign(url);
    const own = { from, over: wait(leavingMs) };
    leaving = own;
    await own.over;
    if (leaving === own) leaving = undefined;
  }

  /** Waits for a redirect in progress. @returns whether the page moved. */
  async function hasLeft(): Promise<boolean> {
    if (!browserPage || leaving?.from !== browserPage.href()) return false;
    const { from, over } = leaving;
    await over;
    return browserPage.href() !== from;
  }

  function toOnServer(url: string, replace: boolean): never {
    if (redirectMethod !== 'nextjs')
      throw new Error(`Cannot redirect to ${url.replace(/[?#].*/s, '')} on a server with this redirectMethod.`);
    if (!next?.redirect) throw new TypeError("The redirectMethod 'nextjs' requires nextjs.redirect on a server.");
    return next.redirect(url, replace ? 'replace' : 'push');
  }

  async function outOfLoop(url: string, from: Page, page: keyof HandlerUrls): Promise<string> {
    const { loopAddress, lostSessionAddress } = await import('./redirect-loop.ts');
    return (page === 'signIn' ? loopAddress(from, urls.error, now()) : lostSessionAddress(from, config)) ?? url;
  }

  return {
    to,
    async toPage(page, { replace, noRedirectBack = false } = {}) {
      if (!urls[page]) throw new Error(`The app has no address for the page ${page}.`);
      // An automatic redirect replaces the history entry of the page that requires a user.
      const isAutomatic = page === 'signIn' && replace === true;
      if (isAutomatic && (await hasLeft())) return;
      const url = noRedirectBack ? urls[page] : targetOf(page, urls, here());
      if (!isRelative(url))
        throw new Error(`Redirect URL is not trusted; should be relative: ${url.replace(/[?#].*/s, '')}`);
      const mayLoop = browserPage && (isAutomatic ? redirectMethod !== 'none' : /^afterSign[IU]/.test(page));
      await to(mayLoop ? await outOfLoop(url, browserPage, page) : url, { replace });
    },
  };
}
