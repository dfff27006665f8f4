import { createRootRoute, HeadContent, Outlet, Scripts } from '@tanstack/react-router';
import { TesseraProvider } from '@tessera/react';
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
  component: Root,
});

/** With `initialUser`, hooks know the user while the page is rendered on the server. */
function Root() {
  const user = Route.useLoaderData();
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        <TesseraProvider app={tessera} initialUser={user}>
          <Outlet />
        </TesseraProvider>
        <Scripts />
      </body>
    </html>
  );
}
