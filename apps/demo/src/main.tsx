import '@tessera/react/styles.css';
import './styles.css';
import { ClientApp, TesseraProvider, TesseraTheme } from '@tessera/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { type Config, loadConfig } from './config.ts';
import { navigate, replacePage } from './router.tsx';
import { theme } from './theme.ts';

const root = createRoot(document.getElementById('root') ?? document.body);
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;

loadConfig().then(start, explain);

function start(config: Config) {
  const app = new ClientApp({
    ...config,
    tokenStore: 'cookie',
    redirectMethod: { useNavigate: () => navigate, navigate, replacePage },
    urls: { afterSignIn: '/shelf' },
  });

  root.render(
    <StrictMode>
      <TesseraProvider app={app}>
        <TesseraTheme theme={theme} nonce={nonce}>
          <App />
        </TesseraTheme>
      </TesseraProvider>
    </StrictMode>,
  );
}

function explain() {
  root.render(
    <main className="narrow page">
      <h1>Shelfmark is not ready yet</h1>
      <p>Its server did not answer. Wait a moment, then try again.</p>
      <button type="button" className="button" onClick={() => window.location.reload()}>
        Try again
      </button>
    </main>,
  );
}
