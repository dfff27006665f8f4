import type { ClientApp } from '@tessera/client';
import { internals } from '@tessera/client';
import { ownSignIns } from '@tessera/client/internals';
import { useEffect } from 'react';

/** A tab that signs out leaves the page by itself within this time. */
const ownRedirectMs = 1000;

/**
 * Calls `refresh` when the user of the page has signed out or is another one, and after a sign-in in another tab. Server
 * components do not subscribe to the session: they would show the earlier state until the next navigation.
 *
 * A sign-in of the page itself ends with a redirect. Until then the page may have another step, such as the code of the
 * verification email, which a server component that redirects signed-in users would end.
 */
export function useRefreshForUser(app: ClientApp<true> | undefined, refresh: () => void): void {
  useEffect(() => {
    if (app === undefined) return;
    const reader = app[internals].user({ includeAnonymous: true });
    const idOf = () => {
      const result = reader.peek();
      return result?.status === 'ok' ? (result.data?.id ?? null) : undefined;
    };
    let known = idOf();
    let signIns = ownSignIns(app.projectId);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const undo = reader.subscribe(() => {
      const now = idOf();
      // Undefined: not read yet, or the server cannot be reached.
      if (now === undefined || now === known) return;
      const isOwnSignIn = signIns !== ownSignIns(app.projectId);
      const isStale = typeof known === 'string' || (known === null && !isOwnSignIn);
      known = now;
      signIns = ownSignIns(app.projectId);
      if (!isStale) return;
      clearTimeout(timer);
      timer = setTimeout(refresh, ownRedirectMs);
    });
    return () => {
      undo();
      clearTimeout(timer);
    };
  }, [app, refresh]);
}
