import { TesseraHandler } from '@tessera/react/next';
import { Suspense } from 'react';

/** Sign-in, sign-up, account settings and all other pages of Tessera. */
export default function HandlerPage(props: PageProps<'/handler/[...path]'>) {
  return (
    <Suspense>
      <TesseraHandler routeProps={props} fullPage />
    </Suspense>
  );
}
