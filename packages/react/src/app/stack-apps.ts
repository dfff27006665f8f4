import {
  StackAdminApp as CoreAdminApp,
  StackClientApp as CoreClientApp,
  StackServerApp as CoreServerApp,
  type StackClientAppJson,
  stackAppInternalsSymbol,
} from '@tessera/client/stack';
import { withHooks } from './app-types.ts';
import {
  type AdminApp,
  type AdminAppConstructor,
  addHooks,
  type ClientApp,
  type ClientAppConstructor,
  type ServerApp,
  type ServerAppConstructor,
} from './apps.ts';

/** The member under the internals symbol of the constructor. */
interface FromClientJson {
  readonly [stackAppInternalsSymbol]: { fromClientJson(json: StackClientAppJson): ClientApp };
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
export const StackClientApp = /* @__PURE__ */ hookedStack(CoreClientApp) as unknown as ClientAppConstructor &
  FromClientJson;

/**
 * Makes server apps with hooks.
 *
 * @example
 * const app = new StackServerApp({ tokenStore: null });
 */
export const StackServerApp = /* @__PURE__ */ hookedStack(CoreServerApp) as unknown as ServerAppConstructor &
  FromClientJson;

/**
 * Makes admin apps with hooks.
 *
 * @example
 * const app = new StackAdminApp({ tokenStore: null });
 */
export const StackAdminApp = /* @__PURE__ */ hookedStack(CoreAdminApp) as unknown as AdminAppConstructor &
  FromClientJson;

/** The same constructor, whose apps, also those that it makes of JSON, have hooks. */
function hookedStack(core: typeof CoreClientApp | typeof CoreServerApp | typeof CoreAdminApp): object {
  const fromClientJson = (json: StackClientAppJson) => withHooks(core[stackAppInternalsSymbol].fromClientJson(json));
  return new Proxy(addHooks(core), {
    get: (target, name, receiver) =>
      name === stackAppInternalsSymbol ? { fromClientJson } : Reflect.get(target, name, receiver),
  });
}
