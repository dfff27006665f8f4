import { useSyncExternalStore } from 'react';

/** The part of the address after the `#`, with it. Follows links, the browser's buttons, and routers that push states. */
export function useHash(): string {
  return useSyncExternalStore(
    subscribe,
    () => window.location.hash,
    () => '',
  );
}

function subscribe(listener: () => void): () => void {
  // Browsers before 2026 tell no one when a router pushes a state; they have the other two events.
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
