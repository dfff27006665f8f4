import type { ClientApp } from '@tessera/client';
import { internals } from '@tessera/client';
import { useEffect } from 'react';

/** A tab that signs out leaves the page by itself within this time. */
const ownRedirectMs = 1000;

/**
 * Calls `refresh` when the user of the page has signed out or is another one, e.g. in another tab. Server components do not
 * subscribe to the session: they would show the earlier user until the next navigation.
 */
export function useRefreshWithoutUser(app: ClientApp<true>, refresh: () => void): void {
  useEffect(() => {
    const reader = app[internals].user({ includeAnonymous: true });
    const idOf = () => {
      const result = reader.peek();
      return result?.status === 'ok' ? (result.data?.id ?? null) : undefined;
    };
    let known = idOf();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const undo = reader.subscribe(() => {
      const now = idOf();
      // Undefined: not read yet, or the server cannot be reached.
      if (now === undefined || now === known) return;
      const hasLostUser = typeof known === 'string';
      known = now;
      if (!hasLostUser) return;
      clearTimeout(timer);
      timer = setTimeout(refresh, ownRedirectMs);
    });
    return () => {
      undo();
      clearTimeout(timer);
    };
  }, [app, refresh]);
}
