import { trimTrailingSlashes } from '../redirects/trailing-slashes.ts';

/**
 * The position of a URL in a router that is mounted at `base`: path, query and hash without the base. Undefined for
 * another origin or a path outside the base, and for a path that begins with two slashes: routers take it for a host.
 */
export function routerPath(to: string, { base, here }: { base: string; here: string }): string | undefined {
  const target = new URL(to, here);
  const trimmed = trimTrailingSlashes(base);
  const { pathname, search, hash } = target;
  if (target.origin !== new URL(here).origin) return undefined;
  if (pathname !== trimmed && !pathname.startsWith(`${trimmed}/`)) return undefined;
  const path = pathname.slice(trimmed.length) || '/';
  return path.startsWith('//') ? undefined : path + search + hash;
}

/** Navigates through the router when the URL belongs to it, otherwise loads the URL. */
export function goTo(to: string, base: string, go: (path: string) => void): void {
  const path = routerPath(to, { base, here: window.location.href });
  if (path === undefined) window.location.assign(to);
  else go(path);
}
