/** Tessera in an app with TanStack Router. */
import { useLocation, useRouter } from '@tanstack/react-router';
import type { RedirectMethod } from '@tessera/client';
import { TesseraHandler as Handler, type TesseraHandlerProps } from '@tessera/react';
import { useCallback } from 'react';
import { routerPath } from './router-path.ts';

/** Props of the handler as a route. The router provides the location. */
export type TesseraRouteProps = Omit<TesseraHandlerProps, 'location' | 'navigate'>;

/**
 * The pages of Tessera as the component of a route: `createFileRoute('/handler/$')({ component: TesseraHandler })`.
 *
 * @example
 * export const Route = createFileRoute('/handler/$')({ component: TesseraHandler });
 */
export function TesseraHandler(props: TesseraRouteProps) {
  const { publicHref } = useLocation();
  const router = useRouter();
  const replace = useCallback((to: string) => go(router, to, 'replace'), [router]);
  return <Handler {...props} location={publicHref} navigate={replace} />;
}

/** A router made by `createRouter`. */
interface Router {
  readonly basepath: string;
  readonly history: { push(href: string): void; replace(href: string): void };
}

/**
 * Redirects for `new ClientApp({ redirectMethod: redirectMethod(router) })`. With the router redirects keep the page
 * loaded; without it they load the page.
 *
 * @example
 * const app = new ClientApp({ tokenStore: 'cookie', redirectMethod: redirectMethod(router) });
 */
export function redirectMethod(router?: Router): RedirectMethod {
  if (router === undefined) return { useNavigate: useNavigateTo };
  return {
    useNavigate: useNavigateTo,
    navigate: to => go(router, to, 'push'),
    replacePage: to => go(router, to, 'replace'),
  };
}

function useNavigateTo(): (to: string) => void {
  const router = useRouter();
  return useCallback((to: string) => go(router, to, 'push'), [router]);
}

/** The history expects paths with the base path. */
function go({ basepath, history }: Router, to: string, how: 'push' | 'replace'): void {
  if (routerPath(to, { base: basepath, here: window.location.href }) === undefined) window.location.assign(to);
  else history[how](to);
}
