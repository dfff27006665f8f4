import {
  type AdminAppOptions,
  type ClientAppOptions,
  StackAdminApp as CoreAdminApp,
  StackClientApp as CoreClientApp,
  StackServerApp as CoreServerApp,
  type OwnerSessionOptions,
  type ServerAppOptions,
  type StackClientAppJson,
  stackAppInternalsSymbol,
  type ToClientJson,
  type TokenStoreInit,
} from '@tessera/client/stack';
import { withHooks } from './app-types.ts';
import { type AdminApp, addHooks, type ClientApp, type Has, type ServerApp } from './apps.ts';

/** The member under the internals symbol of the constructor. */
interface FromClientJson {
  readonly [stackAppInternalsSymbol]: { fromClientJson(json: StackClientAppJson): ClientApp & ToClientJson };
}

interface StackClientAppConstructor extends FromClientJson {
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: OwnerSessionOptions<Store, ProjectId> | ClientAppOptions<Store, ProjectId>,
  ): ClientApp<Has<Store>, ProjectId> & ToClientJson;
}

interface StackServerAppConstructor extends FromClientJson {
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: ServerAppOptions<Store, ProjectId>,
  ): ServerApp<Has<Store>, ProjectId> & ToClientJson;
}

interface StackAdminAppConstructor extends FromClientJson {
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: AdminAppOptions<Store, ProjectId>,
  ): AdminApp<Has<Store>, ProjectId> & ToClientJson;
}

/** A client app with hooks. */
export type StackClientApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string> = ClientApp<
  HasTokenStore,
  ProjectId
>;
/** A server app with hooks. */
export type StackServerApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string> = ServerApp<
  HasTokenStore,
  ProjectId
>;
/** An admin app with hooks. */
export type StackAdminApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string> = AdminApp<
  HasTokenStore,
  ProjectId
>;

/**
 * Makes client apps with hooks, under the name that apps written for the hosted service import.
 *
 * @example
 * const app = new StackClientApp({ tokenStore: 'cookie', redirectMethod: 'window' });
 */
export const StackClientApp = /* @__PURE__ */ hookedStack(CoreClientApp) as unknown as StackClientAppConstructor;

/**
 * Makes server apps with hooks.
 *
 * @example
 * const app = new StackServerApp({ tokenStore: null });
 */
export const StackServerApp = /* @__PURE__ */ hookedStack(CoreServerApp) as unknown as StackServerAppConstructor;

/**
 * Makes admin apps with hooks.
 *
 * @example
 * const app = new StackAdminApp({ tokenStore: null });
 */
export const StackAdminApp = /* @__PURE__ */ hookedStack(CoreAdminApp) as unknown as StackAdminAppConstructor;

/** The same constructor, whose apps, also those that it makes of JSON, have hooks. */
function hookedStack(core: typeof CoreClientApp | typeof CoreServerApp | typeof CoreAdminApp): object {
  const fromClientJson = (json: StackClientAppJson) => withHooks(core[stackAppInternalsSymbol].fromClientJson(json));
  return new Proxy(addHooks(core), {
    get: (target, name, receiver) =>
      name === stackAppInternalsSymbol ? { fromClientJson } : Reflect.get(target, name, receiver),
  });
}
