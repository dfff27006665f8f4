import {
  type ClientApp,
  type CurrentUser,
  internals,
  type Or,
  type ServerApp,
  type ServerUser,
  type TokenStoreInit,
  type UserById,
} from '@tessera/client';
import { notSignedIn } from '@tessera/client/internals';
import { useDeferredValue, useState } from 'react';
import { rememberSignedInUser } from '../redirects/go-to-sign-in.ts';
import { anonymousInstead, signInInstead } from '../redirects/sign-in-instead.ts';
import { useReader } from './reader.ts';

/** Options of `useUser` that do not depend on the app's type. */
export interface UseUserOptions {
  readonly or?: Or;
  readonly tokenStore?: TokenStoreInit;
}

/** Makes an app's `useUser`. Which user it is about never changes from one call to the next at the same place. */
export function userHook(app: ClientApp): (which?: UseUserOptions | UserById) => CurrentUser | ServerUser | null {
  const current = currentUserHook(app);
  return which => (isUserById(which) ? userByIdHook(app as unknown as ServerApp)(which) : current(which));
}

/** Makes the hook for any user at a server. */
export function userByIdHook(app: ServerApp): (which: UserById) => ServerUser | null {
  return which => useReader(app[internals].userById(which));
}

function isUserById(which: UseUserOptions | UserById | undefined): which is UserById {
  return typeof which === 'string' || (which !== undefined && 'apiKey' in which);
}

function currentUserHook(app: ClientApp): (options?: UseUserOptions) => CurrentUser | null {
  return ({ or = 'return-null', tokenStore } = {}) => {
    const includeAnonymous = or === 'anonymous-if-exists' || or === 'anonymous';
    const reader = app[internals].user(
      tokenStore === undefined ? { includeAnonymous } : { includeAnonymous, tokenStore },
    );
    const user = useReader(reader);
    const leaving = useNavigateAway(user);
    if (user !== null) {
      rememberSignedInUser(app);
      return user;
    }

    if (or === 'throw') throw notSignedIn('useUser');
    if (or === 'redirect' && leaving !== null) return leaving;
    if (or === 'redirect') throw signInInstead(app, reader);
    if (or === 'anonymous') throw anonymousInstead(app);
    return null;
  };
}

/**
 * Who was signed in until just now, else null. Whoever signs out is led on a moment later, and React keeps the page as it
 * is until then, if what suspends is not urgent: hidden at once, a router in the page would hear of no redirect.
 */
function useNavigateAway(user: CurrentUser | null): CurrentUser | null {
  const [last, setLast] = useState(user);
  if (user !== null && user !== last) setLast(user);
  const isAway = useDeferredValue(user === null);
  return isAway ? null : last;
}
