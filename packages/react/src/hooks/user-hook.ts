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
import { useDeferredValue, useEffect, useState } from 'react';
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
    const includeAnonymous = or.startsWith('anonymous');
    const reader = app[internals].user({ includeAnonymous, tokenStore });
    const user = useReader(reader, app[internals].knowsUserOnServer);
    const leaving = useNavigateAway(user);
    if (user !== null) {
      rememberSignedInUser(app);
      return user;
    }

    if (or === 'throw') throw notSignedIn('useUser');
    if (or !== 'redirect' && or !== 'anonymous') return null;
    // A server makes no redirect and creates no user while it renders.
    assertBrowser();
    if (or === 'anonymous') throw anonymousInstead(app);
    if (leaving !== null) return leaving;
    throw signInInstead(app, reader);
  };
}

/**
 * The user who was signed in until now, else null. After sign-out the app redirects a moment later. Until then React keeps
 * the page visible, provided that what suspends is not urgent: a hidden router would miss the redirect. A component that
 * an `<Activity>` hides, as Next.js does with the routes before the current one, is rendered too. It keeps the user until
 * it is visible again, because a redirect would take the visible page away.
 */
function useNavigateAway(user: CurrentUser | null): CurrentUser | null {
  const [last, setLast] = useState(user);
  if (user && user !== last) setLast(user);
  // While the component suspends, React runs no effects, so a hidden one would never learn that it is visible again.
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    if (isHidden) setHidden(false);
  });
  useEffect(() => () => setHidden(true), []);
  const isAway = useDeferredValue(user === null);
  return isAway && !isHidden ? null : last;
}
