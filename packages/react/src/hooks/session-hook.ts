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
 * The session of the provider's app. Suspends while it is loading, renders again after sign-in and sign-out.
 *
 * @example
 * const session = useSession();
 * const token = session.status === 'signed-in' ? await session.getToken() : null;
 * await fetch('/api/orders', { headers: { authorization: `Bearer ${token}` } });
 */
export function useSession(): SessionState {
  const user = useUser();
  if (user === null) return { status: 'signed-out' };
  return {
    status: 'signed-in',
    user,
    getToken: async () => (await user.currentSession.getTokens()).accessToken,
  };
}
