import { TesseraHandler } from '@tessera/react/react-router';

/** Sign-in, sign-up, account settings and the other pages. */
export default function Handler() {
  return <TesseraHandler fullPage />;
}
