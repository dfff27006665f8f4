import { useSyncExternalStore } from 'react';
import type { Place } from './routes.ts';

/** The current location. The query is always the window's; the path may come from a router. */
export function usePlace(location: string | undefined): Place {
  const href = useSyncExternalStore(
    subscribe,
    () => window.location.href,
    // On a server only the router knows the path.
    () => `http://localhost${location ?? '/'}`,
  );
  const { pathname, search } = new URL(href);
  const path = location === undefined ? pathname : location.split(/[?#]/, 1)[0] || location;
  return { path, search, href };
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener);
  return () => window.removeEventListener('popstate', listener);
}
