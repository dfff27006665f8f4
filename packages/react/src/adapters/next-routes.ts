import { returnParameter } from '@tessera/client/internals';

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
  return trimSlashes(decode(path).replace(/\/{2,}/g, '/'));
}

/** Next.js answers 400 to a path that cannot be decoded. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
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

function trimSlashes(path: string): string {
  return path.replace(/\/+$/, '');
}
