import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { TesseraProvider, TesseraTheme } from '@tessera/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createDashboardApp } from './app.ts';
import { Notice } from './components/page/notice.tsx';
import { readConfig } from './config.ts';
import { createQueryClient } from './data/query-client.ts';
import { createDashboardRouter } from './router.tsx';
import { words } from './words.ts';

const root = createRoot(document.getElementById('root') ?? document.body);
const config = readConfig();
const { publishableClientKey } = config;

if (publishableClientKey === null) {
  root.render(<Notice title={words.noKey.title}>{words.noKey.text}</Notice>);
} else {
  const queryClient = createQueryClient();
  const app = createDashboardApp({ ...config, publishableClientKey }, to => router.history.push(to));
  const router = createDashboardRouter({ app, config, queryClient });

  root.render(
    <StrictMode>
      <TesseraProvider app={app}>
        <TesseraTheme>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </TesseraTheme>
      </TesseraProvider>
    </StrictMode>,
  );
}
