import { returnParameter } from '@tessera/client/internals';
import { trimTrailingSlashes } from '../redirects/trailing-slashes.ts';

/**
 * Whether a path is one of the patterns: `/a` is this path, and `/a/*` is this path and all below it. Every spelling for
 * which Next.js finds the same page counts: `/%61` and `//a` are `/a`.
 */
export function isCovered(pathname: string, patterns: readonly string[]): boolean {
  const path = canonical(pathname);
  return patterns.some(pattern => {
    const [parent = ''] = pattern.split('*');
    const base = canonical(parent);
    return pattern.endsWith('/*') ? path === base || path.startsWith(`${base}/`) : path === base;
  });
}

/** Without percent encoding, repeated slashes and a slash at the end. */
function canonical(path: string): string {
  return trimTrailingSlashes(decode(path).replace(/\/{2,}/g, '/'));
}

/** The text itself where it cannot be decoded: Next.js answers 400 to such a path, and leaves out such a cookie. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** The address of the sign-in page, which leads back to the path `here`. */
export function signInAddress(signIn: string, { here, url }: { here: string; url: string }): URL {
  const address = new URL(signIn, url);
  address.searchParams.set(returnParameter, here);
  return address;
}

/**
 * A `cookie` header after a response with these `set-cookie` values. Names stay as they are: without the no-break space at
 * its beginning, a cookie of another host could get a name with the prefix `__Host-`.
 */
export function cookieHeaderWith(cookie: string, setCookie: readonly string[]): string {
  const pairs = new Map(
    cookie
      .split(/; */)
      .filter(part => part.includes('='))
      .map(part => [part.slice(0, part.indexOf('=')), part]),
  );
  for (const text of setCookie) {
    const [pair = ''] = text.split(';');
    const name = pair.slice(0, pair.indexOf('='));
    if (/;\s*max-age=0(?:;|$)/i.test(text)) pairs.delete(name);
    else pairs.set(name, pair);
  }
  return [...pairs.values()].join('; ');
}

/**
 * The `cookie` header of a request with what a server action has set in the jar of Next.js since: its `headers()` keep the
 * cookies that the browser sent.
 */
export function cookieHeaderOf(
  cookie: string,
  jar: readonly { readonly name: string; readonly value: string }[],
): string {
  const sent = new Set(cookie.split(/; */).map(decode));
  const changed = jar.filter(({ name, value }) => !sent.has(`${name}=${value}`));
  // The header may name a cookie twice, with different domains; the jar has one of them.
  if (changed.length === 0) return cookie;
  const setCookie = changed.map(({ name, value }) =>
    value === '' ? `${name}=; Max-Age=0` : `${name}=${encodeURIComponent(value)}`,
  );
  return cookieHeaderWith(cookie, setCookie);
}
