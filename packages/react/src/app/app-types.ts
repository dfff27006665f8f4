import {
  type AdminApp as CoreAdminApp,
  type ClientApp as CoreClientApp,
  type ServerApp as CoreServerApp,
  type GetUserOptions,
  internals,
  type Or,
  type UserById,
} from '@tessera/client';
import {
  type AdminAppInternals,
  type AdminAppReads,
  extendEntities,
  type ProjectReads,
  type Reads,
  type ServerAppReads,
} from '@tessera/client/internals';
import type { CurrentServerUser, CurrentUser, OwnerHooks, ServerUser } from '../hooks/hooked-types.ts';
import { type HooksOf, hooksOf } from '../hooks/hooks-of.ts';
import { navigateHook } from '../hooks/navigate-hook.ts';
import { userByIdHook, userHook } from '../hooks/user-hook.ts';

type RequiresUser = Extract<Or, 'redirect' | 'throw' | 'anonymous'>;

/** The signed-in user as a hook. Takes the options of `getUser`. */
export interface UseUser<User, HasTokenStore extends boolean> {
  /**
   * The signed-in user. `redirect` goes to the sign-in page and suspends, `throw` fails when no user is signed in,
   * `anonymous` creates an anonymous account.
   */
  (options: GetUserOptions<HasTokenStore, RequiresUser> & { readonly or: RequiresUser }): User;
  /** The signed-in user, or null. */
  (...options: HasTokenStore extends false ? [GetUserOptions<false>] : [GetUserOptions<HasTokenStore>?]): User | null;
}

/** The same for a server app, which also finds any user. */
export interface UseServerUser<User, HasTokenStore extends boolean> extends UseUser<User, HasTokenStore> {
  /** The user with this id, or the owner of this API key. Null when there is none. */
  (which: UserById): ServerUser | null;
}

/** A user of the project `internal` can own projects. */
export type UserOf<ProjectId extends string, User> = ProjectId extends 'internal' ? User & OwnerHooks : User;

interface NavigateHook {
  /** Returns a function that navigates as the `redirectMethod` of the app says. */
  readonly useNavigate: () => (to: string) => void;
}

/** What React adds to a client app. Every read has a hook: `getProject` has `useProject`. */
export interface AppHooks<HasTokenStore extends boolean, ProjectId extends string = string>
  extends HooksOf<Reads<ProjectReads>>,
    NavigateHook {
  readonly useUser: UseUser<UserOf<ProjectId, CurrentUser>, HasTokenStore>;
}

interface UserByIdHooks<User, HasTokenStore extends boolean> extends NavigateHook {
  readonly useUser: UseServerUser<User, HasTokenStore>;
  /** The user with this id. Null when there is none. */
  readonly useUserById: (id: string) => ServerUser | null;
}

/** What React adds to a server app. */
export interface ServerAppHooks<HasTokenStore extends boolean, ProjectId extends string = string>
  extends HooksOf<Reads<ServerAppReads>>,
    UserByIdHooks<UserOf<ProjectId, CurrentServerUser>, HasTokenStore> {}

/** What React adds to an admin app. */
export interface AdminAppHooks<HasTokenStore extends boolean, ProjectId extends string = string>
  extends HooksOf<Reads<AdminAppReads>>,
    HooksOf<AdminAppInternals['hookReads']>,
    UserByIdHooks<UserOf<ProjectId, CurrentServerUser>, HasTokenStore> {}

/** An app of any level. */
export type AnyCoreApp = CoreClientApp<boolean> | CoreServerApp<boolean> | CoreAdminApp<boolean>;

const hooked = new WeakSet<object>();

/** Adds the hooks to an app, once. Objects that the app returns from then on have hooks too. */
export function withHooks<App extends AnyCoreApp>(app: App): App & AppHooks<true> {
  if (!hooked.has(app)) {
    extendEntities(hooksOf);
    Object.assign(app, hooksOf(app[internals].reads), levelHooks(app), {
      useUser: userHook(app as CoreClientApp),
      useNavigate: navigateHook(app as CoreClientApp),
    });
    giveMetricsToInternals(app);
    hooked.add(app);
  }
  return app as unknown as App & AppHooks<true>;
}

/**
 * Part of the contract (docs/contract/client-sdk.md#client-app): code for the hosted service reads the
 * internals.
 */
function giveMetricsToInternals(app: AnyCoreApp): void {
  if ('useMetrics' in app) Object.assign(app[internals], { useMetrics: app.useMetrics });
}

/** Hooks that only some access levels have. */
function levelHooks(app: AnyCoreApp): object {
  const own = app[internals];
  return {
    ...('hookReads' in own ? hooksOf(own.hookReads) : {}),
    ...('userById' in own ? { useUserById: userByIdHook(app as CoreServerApp) } : {}),
  };
}
