import {
  type AdminAppOptions,
  type ClientAppOptions,
  AdminApp as CoreAdminApp,
  ClientApp as CoreClientApp,
  ServerApp as CoreServerApp,
  internals,
  type OwnerSessionOptions,
  type ServerAppOptions,
  type TokenStoreInit,
} from '@tessera/client';
import type { CurrentServerUser, CurrentUser, WithHooked } from '../hooks/hooked-types.ts';
import {
  type AdminAppHooks,
  type AnyUserMethods,
  type AppHooks,
  type CurrentUserMethods,
  type ServerAppHooks,
  type UserOf,
  withHooks,
} from './app-types.ts';

type UserReturning = 'getUser' | 'getServerUser' | 'user' | 'onUserChange';
type ServerReturning = 'listUsers' | 'createUser' | 'getTeam' | 'listTeams' | 'createTeam';
type AdminReturning = ServerReturning | 'getProject' | 'findUsers' | 'findTeams';

/** A client app with hooks. */
export interface ClientApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string>
  extends Omit<CoreClientApp<HasTokenStore, ProjectId>, UserReturning>,
    CurrentUserMethods<UserOf<ProjectId, CurrentUser>, HasTokenStore>,
    AppHooks<HasTokenStore, ProjectId> {}

/** A server app with hooks. */
export interface ServerApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string>
  extends Omit<WithHooked<CoreServerApp<HasTokenStore, ProjectId>, ServerReturning>, UserReturning>,
    AnyUserMethods<UserOf<ProjectId, CurrentServerUser>, HasTokenStore>,
    ServerAppHooks<HasTokenStore, ProjectId> {}

/** An admin app with hooks. */
export interface AdminApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string>
  extends Omit<WithHooked<CoreAdminApp<HasTokenStore, ProjectId>, AdminReturning>, UserReturning>,
    AnyUserMethods<UserOf<ProjectId, CurrentServerUser>, HasTokenStore>,
    AdminAppHooks<HasTokenStore, ProjectId> {
  /** Internals for `@tessera/react`; not for apps. */
  readonly [internals]: CoreAdminApp<HasTokenStore, ProjectId>[typeof internals] & UseMetrics;
}

/** Code for the hosted service finds the hook here. */
type UseMetrics = Pick<AdminAppHooks<boolean>, 'useMetrics'>;

export type Has<Store extends TokenStoreInit> = Store extends null ? false : true;

interface ClientAppConstructor {
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: OwnerSessionOptions<Store, ProjectId> | ClientAppOptions<Store, ProjectId>,
  ): ClientApp<Has<Store>, ProjectId>;
}

interface ServerAppConstructor {
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: ServerAppOptions<Store, ProjectId>,
  ): ServerApp<Has<Store>, ProjectId>;
}

interface AdminAppConstructor {
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: AdminAppOptions<Store, ProjectId>,
  ): AdminApp<Has<Store>, ProjectId>;
}

/**
 * The constructor of client apps with hooks: `app.useUser()`, `app.useProject()`. Otherwise as in `@tessera/client`.
 *
 * @example
 * const app = new ClientApp({ tokenStore: 'cookie', redirectMethod: 'window' });
 */
export const ClientApp = /* @__PURE__ */ addHooks(CoreClientApp) as unknown as ClientAppConstructor;

/**
 * The constructor of server apps with hooks.
 *
 * @example
 * const app = new ServerApp({ tokenStore: null });
 */
export const ServerApp = /* @__PURE__ */ addHooks(CoreServerApp) as unknown as ServerAppConstructor;

/**
 * The constructor of admin apps with hooks.
 *
 * @example
 * const app = new AdminApp({ tokenStore: null });
 */
export const AdminApp = /* @__PURE__ */ addHooks(CoreAdminApp) as unknown as AdminAppConstructor;

/** The same constructor, with statics and `instanceof`, whose apps have hooks. */
export function addHooks<Constructor extends typeof CoreClientApp | typeof CoreServerApp | typeof CoreAdminApp>(
  core: Constructor,
): Constructor {
  return new Proxy(core, {
    construct: (target, args, newTarget) => withHooks(Reflect.construct(target, args, newTarget)),
  });
}
