import {
  type AdminApp as CoreAdminApp,
  type ClientApp as CoreClientApp,
  type ServerApp as CoreServerApp,
  type GetCurrentUser,
  type GetUserOptions,
  internals,
  type Or,
  type UserById,
  type UserObservation,
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
import type { ClientApp } from './apps.ts';

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

/** The same for a server app, which also finds any user. An intersection for the reason of `GetServerUser`. */
export type UseServerUser<User, HasTokenStore extends boolean> = UseUser<User, HasTokenStore> & UseUserById;

/** The user with this id, or the owner of this API key. Null when there is none. */
type UseUserById = (which: UserById) => ServerUser | null;

/** A user of the project `internal` can own projects. */
export type UserOf<ProjectId extends string, User> = ProjectId extends 'internal' ? User & OwnerHooks : User;

/** Methods of an app that return the signed-in user, with hooks. */
export interface CurrentUserMethods<User, HasTokenStore extends boolean> extends UserObservation<User> {
  /** The signed-in user. Takes the options of `getUser` of `@tessera/client`. */
  readonly getUser: GetCurrentUser<User, HasTokenStore>;
}

type GetAnyUser<User, HasTokenStore extends boolean> = GetCurrentUser<User, HasTokenStore> & GetUserById;

/** The user with this id, or the owner of this API key; null when there is none. */
type GetUserById = (which: UserById) => Promise<ServerUser | null>;

/** Methods of a server app that return users, with hooks. */
export interface AnyUserMethods<User, HasTokenStore extends boolean> extends UserObservation<User> {
  /** The signed-in user, or any user. */
  readonly getUser: GetAnyUser<User, HasTokenStore>;
  /** @deprecated Use `getUser`. */
  readonly getServerUser: GetCurrentUser<User, HasTokenStore>;
}

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

// At once, and not with the first provider: a user can be known before it, as the user of a response or by `getUser`.
extendEntities(membersOf);

/** Adds the hooks to an app, once. The objects that apps return have theirs from the start. */
export function withHooks(app: AnyCoreApp): ClientApp<true> {
  if (!hooked.has(app)) {
    Object.assign(app, hooksOf(app[internals].reads), levelHooks(app), {
      useUser: userHook(app as CoreClientApp),
      useNavigate: navigateHook(app as CoreClientApp),
    });
    giveMetricsToInternals(app);
    hooked.add(app);
  }
  return app as unknown as ClientApp<true>;
}

/** The hooks of an object. The app of an owned project gets hooks, too. */
function membersOf(reads: Parameters<typeof hooksOf>[0], fields: object): object {
  if ('app' in fields) withHooks(fields.app as CoreAdminApp);
  return hooksOf(reads);
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
