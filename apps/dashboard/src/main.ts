import './styles.css';
import { createBrowserHistory } from '@tanstack/react-router';
import { createDashboardApp } from './app.ts';
import { readConfig } from './config.ts';
import { createQueryClient } from './data/query-client.ts';
import { readAhead } from './data/read-ahead.ts';

// Without React DOM and the router, which are several times larger: what this file starts to read arrives beside their code.
const config = readConfig();
const { publishableClientKey } = config;

if (publishableClientKey === null) {
  void import('./start.tsx').then(({ showNoKey }) => showNoKey());
} else {
  const history = createBrowserHistory();
  const queryClient = createQueryClient();
  const app = createDashboardApp({ ...config, publishableClientKey }, history);
  void readAhead({ app, queryClient });
  void import('./start.tsx').then(({ showDashboard }) => showDashboard({ app, config, queryClient }, history));
}
