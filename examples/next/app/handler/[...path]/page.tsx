import { TesseraHandler } from '@tessera/react/next';

/** Sign-in, sign-up, account settings and all other pages of Tessera. */
export default function Handler(props: PageProps<'/handler/[...path]'>) {
  return <TesseraHandler routeProps={props} fullPage />;
}
