import { internals } from '@tessera/client';
import { useApp } from '../../hooks/hooks.ts';

/** Navigates on a click: through the app's router when it has one, otherwise with a page load. */
export function useNavigateTo(): (url: string) => void {
  const app = useApp();
  const navigate = app.useNavigate();
  // Without automatic redirects a click must still navigate.
  return app[internals].redirectMethod === 'none' ? url => window.location.assign(url) : navigate;
}
