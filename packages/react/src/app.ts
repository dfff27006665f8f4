import {
  type ClientApp as CoreClientApp,
  type CurrentUser,
  type GetUserOptions,
  internals,
  type Or,
} from '@tessera/client';
import type { AppInternals } from '@tessera/client/internals';
import { type HooksOf, hooksOf } from './hooks-of.ts';
import { navigateHook } from './navigate-hook.ts';
import { userHook } from './user-hook.ts';

type Insisting = Extract<Or, 'redirect' | 'throw'>;

/** Who is signed in, as a hook. Takes what `getUser` takes. */
export interface UseUser<User, HasTokenStore extends boolean> {
  /** The signed-in user. `redirect` goes to the sign-in page and suspends, `throw` fails when there is none. */
  (options: GetUserOptions<HasTokenStore, Insisting> & { readonly or: Insisting }): User;
  /** The signed-in user, or null. */
  (...options: HasTokenStore extends false ? [GetUserOptions<false>] : [GetUserOptions<HasTokenStore>?]): User | null;
}

/** What React adds to an app. Every read of the app has a hook: `getProject` has `useProject`. */
export interface AppHooks<User, HasTokenStore extends boolean> extends HooksOf<AppInternals['reads']> {
  readonly useUser: UseUser<User, HasTokenStore>;
  /** A function that goes to an address the way the app's `redirectMethod` says. */
  readonly useNavigate: () => (to: string) => void;
}

const hooked = new WeakSet<object>();

/** Adds the hooks to an app, once. */
export function withHooks<App extends object>(app: App & CoreClientApp): App & AppHooks<CurrentUser, true> {
  if (!hooked.has(app)) {
    const hooks = { ...hooksOf(app[internals].reads), useUser: userHook(app), useNavigate: navigateHook(app) };
    Object.assign(app, hooks);
    hooked.add(app);
  }
  return app as unknown as App & AppHooks<CurrentUser, true>;
}
