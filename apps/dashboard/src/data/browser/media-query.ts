import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query matches, also after the window changes. */
function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** Whether the window is as narrow as a phone. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 47.99rem)');
}
