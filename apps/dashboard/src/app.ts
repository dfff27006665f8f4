import { ClientApp } from '@tessera/react';
import { apiBaseUrl, type Config } from './config.ts';

export type DashboardApp = ReturnType<typeof createDashboardApp>;

/** The app of the project `internal`, whose users own the other projects. */
export function createDashboardApp(
  config: Config & { readonly publishableClientKey: string },
  { push, replace }: { readonly push: (to: string) => void; readonly replace: (to: string) => void },
) {
  return new ClientApp({
    projectId: 'internal',
    publishableClientKey: config.publishableClientKey,
    baseUrl: apiBaseUrl(config, window.location.origin),
    tokenStore: 'cookie',
    redirectMethod: { useNavigate: () => push, navigate: push, replacePage: replace },
    urls: { handler: `${config.base}handler`, home: config.base },
  });
}
