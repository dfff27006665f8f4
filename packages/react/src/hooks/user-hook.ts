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
import { anonymousInstead } from '../redirects/anonymous-instead.ts';
import { rememberSignedInUser, signInInstead } from '../redirects/sign-in-redirect.ts';
import { assertBrowser, useReader } from './reader.ts';

/** Options of `useUser` that do not depend on the app's type. */
export interface UseUserOptions {
  readonly or?: Or;
  readonly tokenStore?: TokenStoreInit;
}

/** Creates the `useUser` of an app. A call site always asks for the same kind of user, so the order of hooks is stable. */
export function userHook(app: ClientApp): (which?: UseUserOptions | UserById) => CurrentUser | ServerUser | null {
  const current = currentUserHook(app);
  return which => (isUserById(which) ? userByIdHook(app as unknown as ServerApp)(which) : current(which));
}

/** Creates the hook for any user on a server. */
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
    const user = useReader(reader, app[internals].knowsUserOnServer);
    const leaving = useNavigateAway(user);
    if (user !== null) {
      rememberSignedInUser(app);
      return user;
    }

    if (or === 'throw') throw notSignedIn('useUser');
    // A server makes no redirect and creates no user while it renders.
    if (or !== 'return-null' && or !== 'anonymous-if-exists') assertBrowser();
    if (or === 'redirect' && leaving !== null) return leaving;
    if (or === 'redirect') throw signInInstead(app, reader);
    if (or === 'anonymous') throw anonymousInstead(app);
    return null;
  };
}

/**
 * The user who was signed in until now, else null. After sign-out the app redirects a moment later. Until then React keeps
 * the page visible, provided that what suspends is not urgent: a hidden router would miss the redirect.
 */
function useNavigateAway(user: CurrentUser | null): CurrentUser | null {
  const [last, setLast] = useState(user);
  if (user !== null && user !== last) setLast(user);
  const isAway = useDeferredValue(user === null);
  return isAway ? null : last;
}
