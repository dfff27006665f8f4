import { useMemo } from 'react';
import type { CurrentUser } from './hooked-types.ts';
import { useUser } from './hooks.ts';

/** The session of the signed-in user, or none. */
export type SessionState =
  | {
      /** A user is signed in. */
      readonly status: 'signed-in';
      /** The signed-in user. */
      readonly user: CurrentUser;
      /** An access token for requests to your own server, refreshed if need be; null when the session has ended. */
      readonly getToken: () => Promise<string | null>;
    }
  | {
      /** No user is signed in. */
      readonly status: 'signed-out';
    };

/**
 * The session of the provider's app. Suspends while it is loading, renders again after sign-in and sign-out. The same object
 * as long as the user stays the same, so effects can depend on it.
 *
 * @example
 * const session = useSession();
 * async function order() {
 *   const token = session.status === 'signed-in' ? await session.getToken() : null;
 *   if (token !== null) await fetch('/api/orders', { headers: { authorization: `Bearer ${token}` } });
 * }
 */
export function useSession(): SessionState {
  const user = useUser();
  return useMemo(() => (user === null ? { status: 'signed-out' } : sessionOf(user)), [user]);
}

function sessionOf(user: CurrentUser): SessionState {
  return {
    status: 'signed-in',
    user,
    getToken: async () => (await user.currentSession.getTokens()).accessToken,
  };
}
