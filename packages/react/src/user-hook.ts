import { type ClientApp, type CurrentUser, internals, type Or, type TokenStoreInit } from '@tessera/client';
import { notSignedIn } from '@tessera/client/internals';
import { useReader } from './reader.ts';
import { signInInstead } from './sign-in-instead.ts';

/** Options of `useUser` that do not depend on the app's type. */
export interface UseUserOptions {
  readonly or?: Or;
  readonly tokenStore?: TokenStoreInit;
}

/** Makes an app's `useUser`. */
export function userHook(app: ClientApp): (options?: UseUserOptions) => CurrentUser | null {
  return ({ or = 'return-null', tokenStore } = {}) => {
    const includeAnonymous = or === 'anonymous-if-exists';
    const reader = app[internals].user(
      tokenStore === undefined ? { includeAnonymous } : { includeAnonymous, tokenStore },
    );
    const user = useReader(reader);
    if (user !== null) return user;

    if (or === 'throw') throw notSignedIn('useUser');
    if (or === 'redirect') throw signInInstead(app, reader);
    return null;
  };
}
