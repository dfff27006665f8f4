import { TesseraBoundary, TesseraProvider } from '@tessera/react';
import type { ReactNode } from 'react';
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';
import type { Route } from './+types/root';
import { tessera } from './tessera';
import { readUser } from './tessera.server';
import '@tessera/react/styles.css';

export function loader({ request }: Route.LoaderArgs) {
  return readUser(request);
}

/** The page names its user: without `no-store`, Back after a sign-out would show them from the cache of the browser. */
export function headers() {
  return { 'cache-control': 'no-store' };
}

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/**
 * With `initialUser`, hooks know the user while the page is rendered on the server. The boundary shows what hooks wait for
 * while Tessera cannot be reached.
 */
export default function App({ loaderData }: Route.ComponentProps) {
  return (
    <TesseraProvider app={tessera} initialUser={loaderData.user}>
      <TesseraBoundary fullPage>
        <Outlet />
      </TesseraBoundary>
    </TesseraProvider>
  );
}
