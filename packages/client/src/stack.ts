/** The same SDK under the names that apps written for the hosted service import. */

import { AdminApp } from './app/admin-app.ts';
import { ClientApp } from './app/app.ts';
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

export type { AdminAppConstructor as StackAdminAppConstructor } from './app/admin-app.ts';
export type { ClientAppConstructor as StackClientAppConstructor } from './app/app.ts';
export type {
  AdminAppOptions as StackAdminAppConstructorOptions,
  ClientAppOptions as StackClientAppConstructorOptions,
  ServerAppOptions as StackServerAppConstructorOptions,
} from './app/config/options.ts';
export type { ClientAppJson as StackClientAppJson } from './app/rendering/app-json.ts';
export type { ServerAppConstructor as StackServerAppConstructor } from './app/server-app.ts';
export type {
  ProjectPermission as AdminProjectPermission,
  TeamPermission as AdminTeamPermission,
} from './features/account/permissions.ts';
export type { ListUsersOptions as ServerListUsersOptions } from './features/server/users.ts';

/** The member under the internals symbol of the constructor. */
interface FromClientJson {
  readonly [internals]: { fromClientJson(json: ClientAppJson): ClientApp };
}

/**
 * Makes client apps.
 *
 * @example
 * const app = new StackClientApp({ tokenStore: 'cookie' });
 */
export const StackClientApp = /* @__PURE__ */ withClientJson(ClientApp);
/**
 * Makes server apps.
 *
 * @example
 * const app = new StackServerApp({ tokenStore: null });
 */
export const StackServerApp = /* @__PURE__ */ withClientJson(ServerApp);
/**
 * Makes admin apps.
 *
 * @example
 * const app = new StackAdminApp({ tokenStore: null });
 */
export const StackAdminApp = /* @__PURE__ */ withClientJson(AdminApp);

/** The same constructor, whose apps, and which itself, have the conversions where that service's apps have them. */
function withClientJson<App extends typeof ClientApp | typeof ServerApp | typeof AdminApp>(
  core: App,
): App & FromClientJson {
  return new Proxy(core, {
    construct(target, args, newTarget) {
      const app = Reflect.construct(target, args, newTarget);
      Object.assign(app[internals], { toClientJson: () => toClientJson(app) });
      return app;
    },
    get: (target, name, receiver) => (name === internals ? { fromClientJson } : Reflect.get(target, name, receiver)),
  }) as App & FromClientJson;
}
