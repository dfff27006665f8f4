/** Tessera in an app with React Router. */
import type { RedirectMethod } from '@tessera/client';
import { TesseraHandler as Handler, type TesseraHandlerProps } from '@tessera/react';
import { useCallback } from 'react';
import { useHref, useLocation, useNavigate } from 'react-router';
import { goTo } from './router-path.ts';

/** Props of the handler as a route. The router provides the location. */
export type TesseraRouteProps = Omit<TesseraHandlerProps, 'location' | 'navigate'>;

/**
 * The pages of Tessera as a route: `{ path: '/handler/*', element: <TesseraHandler fullPage /> }`.
 *
 * @example
 * const route = { path: '/handler/*', element: <TesseraHandler fullPage /> };
 */
export function TesseraHandler(props: TesseraRouteProps) {
  const { pathname } = useLocation();
  const base = useHref('/');
  const navigate = useNavigate();
  const replace = useCallback(
    (to: string) => goTo(to, base, path => void navigate(path, { replace: true })),
    [base, navigate],
  );
  return <Handler {...props} location={useHref(pathname)} navigate={replace} />;
}

/** A router made by `createBrowserRouter`. */
interface DataRouter {
  readonly basename?: string | undefined;
  navigate(to: string, options?: { replace?: boolean }): unknown;
}

/**
 * Redirects for `new ClientApp({ redirectMethod: redirectMethod(router) })`. With a router of `createBrowserRouter`
 * redirects keep the page loaded; without one they load the page.
 *
 * @example
 * const app = new ClientApp({ tokenStore: 'cookie', redirectMethod: redirectMethod(router) });
 */
export function redirectMethod(router?: DataRouter): RedirectMethod {
  if (router === undefined) return { useNavigate: useNavigateTo };
  const go = (to: string, replace: boolean) =>
    goTo(to, router.basename ?? '/', path => void router.navigate(path, { replace }));
  return { useNavigate: useNavigateTo, navigate: to => go(to, false), replacePage: to => go(to, true) };
}

function useNavigateTo(): (to: string) => void {
  const base = useHref('/');
  const navigate = useNavigate();
  return useCallback((to: string) => goTo(to, base, path => void navigate(path)), [base, navigate]);
}
