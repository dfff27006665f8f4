import type { CurrentUser } from '@tessera/client';
import { useBrowserLayoutEffect } from '@tessera/ui';
import { useRef } from 'react';
import { useApp } from '../hooks.ts';
import type { Reading } from '../reader.ts';
import { useUserReading } from '../readings.ts';

/** Who is signed in, on a page that needs somebody. */
export interface RequiredUser extends Reading<CurrentUser | null> {
  /** Runs what ends the session and leads on by itself, so that nobody is sent to the sign-in page meanwhile. */
  readonly leave: (end: () => Promise<void>) => Promise<void>;
}

/** Sends those who are not signed in to the sign-in page, which leads back here. */
export function useRequiredUser(isNeeded = true): RequiredUser {
  const app = useApp();
  const user = useUserReading();
  const isLeaving = useRef(false);
  const isMissing = isNeeded && user.value === null;

  // Before whoever signed out goes on: the later of two redirects wins, and that is to be theirs.
  useBrowserLayoutEffect(() => {
    // A redirect that fails leaves the page waiting, as in apps that make none.
    if (isMissing && !isLeaving.current) app.redirectToSignIn({ replace: true }).catch(() => {});
  }, [app, isMissing]);

  async function leave(end: () => Promise<void>) {
    isLeaving.current = true;
    try {
      await end();
    } finally {
      isLeaving.current = false;
    }
  }

  return { ...user, leave };
}
