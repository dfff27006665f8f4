/** The same SDK under the names that apps written for the hosted service import. */

import { AdminApp } from './app/admin-app.ts';
import { ClientApp, type Has } from './app/app.ts';
import type {
  AdminAppOptions,
  ClientAppOptions,
  OwnerSessionOptions,
  ServerAppOptions,
  TokenStoreInit,
} from './app/config/options.ts';
import { internals } from './app/internals-symbol.ts';
import { type ClientAppJson, fromClientJson, toClientJson } from './app/rendering/app-json.ts';
import { ServerApp } from './app/server-app.ts';

export { internals as stackAppInternalsSymbol } from './app/internals-symbol.ts';
export * from './index.ts';

/** A client app. */
export type StackClientApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string> = ClientApp<
  HasTokenStore,
  ProjectId
>;
/** A server app. */
export type StackServerApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string> = ServerApp<
  HasTokenStore,
  ProjectId
>;
/** An admin app. */
export type StackAdminApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string> = AdminApp<
  HasTokenStore,
  ProjectId
>;

export type {
  AdminAppOptions as StackAdminAppConstructorOptions,
  ClientAppOptions as StackClientAppConstructorOptions,
  OAuthScopes as OAuthScopesOnSignIn,
  ServerAppOptions as StackServerAppConstructorOptions,
} from './app/config/options.ts';
export type { ClientAppJson as StackClientAppJson } from './app/rendering/app-json.ts';
export type {
  ProjectPermission as AdminProjectPermission,
  TeamPermission as AdminTeamPermission,
} from './features/account/permissions.ts';
export type {
  PermissionDefinitionCreateOptions as AdminProjectPermissionDefinitionCreateOptions,
  PermissionDefinitionCreateOptions as AdminTeamPermissionDefinitionCreateOptions,
  PermissionDefinitionUpdateOptions as AdminProjectPermissionDefinitionUpdateOptions,
  PermissionDefinitionUpdateOptions as AdminTeamPermissionDefinitionUpdateOptions,
} from './features/admin/permission-definitions.ts';
export type { AdminProjectConfigUpdate as AdminProjectConfigUpdateOptions } from './features/admin/project-config.ts';
export type { ListUsersOptions as ServerListUsersOptions } from './features/server/users.ts';

export type { StackAdminAppConstructor, StackClientAppConstructor, StackServerAppConstructor, ToClientJson };

/** The member under the internals symbol of the constructor. */
interface FromClientJson {
  /** For adapters of frameworks; not for apps. */
  readonly [internals]: { fromClientJson(json: ClientAppJson): ClientApp & ToClientJson };
}

/** The members under the internals symbol of an app that this entry point has constructed. */
interface ToClientJson {
  /** For adapters of frameworks; not for apps. */
  readonly [internals]: {
    /** The app as plain data, without tokens and server keys. */
    toClientJson(): ClientAppJson;
  };
}

/** Constructs client apps. */
interface StackClientAppConstructor extends FromClientJson {
  /** Options that are left out come from the environment. @throws when one is missing; the error names the variable. */
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: OwnerSessionOptions<Store, ProjectId> | ClientAppOptions<Store, ProjectId>,
  ): ClientApp<Has<Store>, ProjectId> & ToClientJson;
}

/** Constructs server apps. */
interface StackServerAppConstructor extends FromClientJson {
  /** Options that are left out come from the environment. @throws when one is missing; the error names the variable. */
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: ServerAppOptions<Store, ProjectId>,
  ): ServerApp<Has<Store>, ProjectId> & ToClientJson;
}

/** Constructs admin apps. */
interface StackAdminAppConstructor extends FromClientJson {
  /** Options that are left out come from the environment. @throws when one is missing; the error names the variable. */
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: AdminAppOptions<Store, ProjectId>,
  ): AdminApp<Has<Store>, ProjectId> & ToClientJson;
}

/**
 * Makes client apps.
 *
 * @example
 * const app = new StackClientApp({ tokenStore: 'cookie' });
 */
export const StackClientApp: StackClientAppConstructor = /* @__PURE__ */ withClientJson(ClientApp);
/**
 * Makes server apps.
 *
 * @example
 * const app = new StackServerApp({ tokenStore: null });
 */
export const StackServerApp: StackServerAppConstructor = /* @__PURE__ */ withClientJson(ServerApp);
/**
 * Makes admin apps.
 *
 * @example
 * const app = new StackAdminApp({ tokenStore: null });
 */
export const StackAdminApp: StackAdminAppConstructor = /* @__PURE__ */ withClientJson(AdminApp);

const statics = { fromClientJson: (json: ClientAppJson) => withToClientJson(fromClientJson(json)) };

/**
 * The constructor with the JSON conversions at the places where apps for the hosted service expect them: on the
 * constructor and on its apps.
 */
function withClientJson<Constructor extends FromClientJson>(
  core: typeof ClientApp | typeof ServerApp | typeof AdminApp,
): Constructor {
  return new Proxy(core, {
    construct: (target, args, newTarget) => withToClientJson(Reflect.construct(target, args, newTarget)),
    get: (target, name, receiver) => (name === internals ? statics : Reflect.get(target, name, receiver)),
    // The proxy adds the members at run time.
  }) as unknown as Constructor;
}

function withToClientJson<App extends ClientApp>(app: App): App & ToClientJson {
  Object.assign(app[internals], { toClientJson: () => toClientJson(app) });
  return app as App & ToClientJson;
}
