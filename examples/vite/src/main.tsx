import { ClientApp, TesseraBoundary, TesseraProvider } from '@tessera/react';
import '@tessera/react/styles.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';

// VITE_TESSERA_API_URL, VITE_TESSERA_PROJECT_ID and VITE_TESSERA_PUBLISHABLE_CLIENT_KEY are in .env.local.
const tessera = new ClientApp({ tokenStore: 'cookie', redirectMethod: 'window' });

createRoot(document.getElementById('root') ?? document.body).render(
  <TesseraProvider app={tessera}>
    <TesseraBoundary fullPage>
      <App />
    </TesseraBoundary>
  </TesseraProvider>,
);
