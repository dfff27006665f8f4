import { useSyncExternalStore } from 'react';

/** The hash of the URL, with `#`. Follows links, the Back button, and routers that push states. */
export function useHash(): string {
  return useSyncExternalStore(
    subscribe,
    () => window.location.hash,
    () => '',
  );
}

function subscribe(listener: () => void): () => void {
  // Browsers before 2026 have no event for a pushed state; they have the other two events.
  const { navigation } = window as Window & { navigation?: EventTarget };
  window.addEventListener('hashchange', listener);
  window.addEventListener('popstate', listener);
  navigation?.addEventListener('currententrychange', listener);
  return () => {
    window.removeEventListener('hashchange', listener);
    window.removeEventListener('popstate', listener);
    navigation?.removeEventListener('currententrychange', listener);
  };
}
