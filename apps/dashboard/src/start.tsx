import { QueryClientProvider } from '@tanstack/react-query';
import { type RouterHistory, RouterProvider } from '@tanstack/react-router';
import { TesseraProvider, TesseraTheme } from '@tessera/react';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Notice } from './components/page/notice.tsx';
import { createDashboardRouter } from './router.tsx';
import type { RouterContext } from './routes/root.tsx';
import { words } from './words.ts';

/** Says that the server does not know the publishable client key of the project `internal`. */
export function showNoKey(): void {
  show(<Notice title={words.noKey.title}>{words.noKey.text}</Notice>);
}

/**
 * Renders the page of the address when its code is loaded. React keeps a placeholder for 300 ms once it is shown, so a page
 * that is not ready for its first render appears later.
 */
export async function showDashboard(context: RouterContext, history: RouterHistory): Promise<void> {
  const router = createDashboardRouter(context, history);
  await router.load();
  show(
    <StrictMode>
      <TesseraProvider app={context.app}>
        <TesseraTheme>
          <QueryClientProvider client={context.queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </TesseraTheme>
      </TesseraProvider>
    </StrictMode>,
  );
}

function show(page: ReactNode): void {
  createRoot(document.getElementById('root') ?? document.body).render(page);
}
