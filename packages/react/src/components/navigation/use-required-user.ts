import { type CurrentUser, internals } from '@tessera/client';
import { useEffect } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useUserState } from '../../hooks/read-state.ts';
import type { ReadState } from '../../hooks/reader.ts';
import { leaveForSignIn, rememberSignedInUser } from '../../redirects/sign-in-redirect.ts';

/** The signed-in user of a page that requires one. Other visitors are redirected to sign-in, which leads back here. */
export function useRequiredUser(isNeeded = true): ReadState<CurrentUser | null> {
  const app = useApp();
  const user = useUserState();
  const isThere = user.value !== undefined && user.value !== null;
  const isMissing = isNeeded && user.value === null;

  useEffect(() => {
    if (isThere) rememberSignedInUser(app);
    if (isMissing) leaveForSignIn(app, app[internals].user());
  }, [app, isThere, isMissing]);

  return user;
}
