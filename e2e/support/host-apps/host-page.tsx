import { ClientApp, OAuthButtonGroup, SignIn, SignUp, TesseraProvider, TesseraTheme } from '@tessera/react';
import { createRoot } from 'react-dom/client';

/** Settings that the server of the page inserts. */
declare global {
  interface Window {
    hostPage: {
      readonly projectId: string;
      readonly publishableClientKey: string;
      readonly baseUrl: string;
      readonly nonce: string;
    };
  }
}

/** A customer's page with our pages inline. */
const { nonce, ...settings } = window.hostPage;
const app = new ClientApp({ ...settings, tokenStore: 'memory', redirectMethod: 'none' });
const place = document.getElementById('ours');
if (place === null) throw new Error('the page has no element for our pages');

createRoot(place).render(
  <TesseraProvider app={app}>
    <TesseraTheme theme={{ light: { primary: '#7a1f5c' } }} nonce={nonce}>
      <SignIn extraInfo="By signing in you agree to our terms." />
      <SignUp firstTab="password" />
      <OAuthButtonGroup type="sign-in" />
    </TesseraTheme>
  </TesseraProvider>,
);
