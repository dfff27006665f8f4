import { internals } from '@tessera/client';
import { useApp } from '../../hooks/hooks.ts';

/** Goes to an address on a click: through the app's router where it has one, else by loading the page. */
export function useNavigateTo(): (url: string) => void {
  const app = useApp();
  const navigate = app.useNavigate();
  // Without automatic redirects a click must still lead somewhere.
  return app[internals].redirectMethod === 'none' ? url => window.location.assign(url) : navigate;
}
