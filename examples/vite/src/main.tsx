import { ClientApp } from '@tessera/client';
import { TesseraBoundary, TesseraHandler, TesseraProvider, UserButton, useUser } from '@tessera/react';
import '@tessera/react/styles.css';
import { createRoot } from 'react-dom/client';

// VITE_TESSERA_API_URL, VITE_TESSERA_PROJECT_ID and VITE_TESSERA_PUBLISHABLE_CLIENT_KEY are in .env.local.
const tessera = new ClientApp({ tokenStore: 'cookie', redirectMethod: 'window' });

function App() {
  const { pathname } = window.location;
  return pathname.startsWith('/handler/') ? <TesseraHandler location={pathname} fullPage /> : <Home />;
}

function Home() {
  const user = useUser({ or: 'redirect' });
  return (
    <main>
      <UserButton />
      <h1>Hello, {user.displayName ?? user.primaryEmail}.</h1>
    </main>
  );
}

createRoot(document.getElementById('root') ?? document.body).render(
  <TesseraProvider app={tessera}>
    <TesseraBoundary fullPage>
      <App />
    </TesseraBoundary>
  </TesseraProvider>,
);
