import { createRootRoute, HeadContent, Outlet, Scripts } from '@tanstack/react-router';
import { TesseraBoundary, TesseraProvider } from '@tessera/react';
import styles from '@tessera/react/styles.css?url';
import { readUser } from '../session';
import { tessera } from '../tessera';

export const Route = createRootRoute({
  head: () => ({
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1' },
      { title: 'Tessera and TanStack Start' },
    ],
    links: [{ rel: 'stylesheet', href: styles }],
  }),
  loader: () => readUser(),
  // The page names its user: without `no-store`, Back after a sign-out would show them from the cache of the browser.
  headers: () => ({ 'cache-control': 'no-store' }),
  component: Root,
});

/**
 * With `initialUser`, hooks know the user while the page is rendered on the server. The boundary shows what hooks wait for
 * while Tessera cannot be reached.
 */
function Root() {
  const user = Route.useLoaderData();
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        <TesseraProvider app={tessera} initialUser={user}>
          <TesseraBoundary fullPage>
            <Outlet />
          </TesseraBoundary>
        </TesseraProvider>
        <Scripts />
      </body>
    </html>
  );
}
