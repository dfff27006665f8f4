/**
 * Where an address lies in a router that is mounted at `base`: path, query and hash without the base. Undefined when it
 * lies elsewhere, on another site or beside the router's part of this one.
 */
export function routerPath(to: string, { base, here }: { base: string; here: string }): string | undefined {
  const target = new URL(to, here);
  const trimmed = base.replace(/\/+$/, '');
  const { pathname, search, hash } = target;
  if (target.origin !== new URL(here).origin) return undefined;
  if (pathname !== trimmed && !pathname.startsWith(`${trimmed}/`)) return undefined;
  return (pathname.slice(trimmed.length) || '/') + search + hash;
}

/** Goes to an address through the router that it belongs to, else by loading it. */
export function goTo(to: string, base: string, go: (path: string) => void): void {
  const path = routerPath(to, { base, here: window.location.href });
  if (path === undefined) window.location.assign(to);
  else go(path);
}
