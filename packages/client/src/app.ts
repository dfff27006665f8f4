import type { AppInternals } from './app-internals.ts';
import { appFromJson, type ClientAppJson } from './app-json.ts';
import { adminRecipe, assemble, clientRecipe, serverRecipe } from './assemble.ts';
import type { AnyAppOptions } from './config.ts';
import type { CurrentServerUser } from './features/current-server-user.ts';
import type { CurrentUser } from './features/current-user.ts';
import type { EmailVerificationMethods } from './features/email-verification.ts';
import type { GetCurrentUser } from './features/get-user.ts';
import type { ProjectReads } from './features/project.ts';
import type { RedirectMethods } from './features/redirects.ts';
import type { PasswordMethods } from './features/sign-in/password.ts';
import type { SignOutMethods } from './features/sign-out.ts';
import type { ServerUserJson } from './features/user.ts';
import { internals } from './internals-symbol.ts';
import type { AdminAppOptions, ClientAppOptions, ServerAppOptions, TokenStoreInit } from './options.ts';
import { currentPlatform, type Platform } from './platform/platform.ts';
import type { HandlerUrls } from './urls.ts';

/** What a browser may do: ask who is signed in, sign them up, in and out, verify addresses, and show the way to the pages. */
export interface ClientApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string>
  extends ProjectReads,
    PasswordMethods,
    EmailVerificationMethods,
    SignOutMethods,
    RedirectMethods {
  readonly projectId: ProjectId;
  /** Where the pages are, complete. */
  readonly urls: HandlerUrls;
  readonly getUser: GetCurrentUser<CurrentUser, HasTokenStore>;
  readonly [internals]: AppInternals;
}

/** What a server may do. Its users show what only servers may know. */
export interface ServerApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string>
  extends Omit<ClientApp<HasTokenStore, ProjectId>, 'getUser' | typeof internals> {
  readonly getUser: GetCurrentUser<CurrentServerUser, HasTokenStore>;
  readonly [internals]: AppInternals<CurrentServerUser, ServerUserJson>;
}

/** What the owner of a project may do. */
export interface AdminApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string>
  extends ServerApp<HasTokenStore, ProjectId> {}

type Has<Store extends TokenStoreInit> = Store extends null ? false : true;

/** Makes client apps. */
export interface ClientAppConstructor {
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: ClientAppOptions<Store, ProjectId>,
  ): ClientApp<Has<Store>, ProjectId>;
  readonly [internals]: {
    /** The app that the JSON came from, if it lives in this process, else a new one like it. */
    fromClientJson(json: ClientAppJson): ClientApp;
  };
}

/** Makes server apps. */
export interface ServerAppConstructor {
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: ServerAppOptions<Store, ProjectId>,
  ): ServerApp<Has<Store>, ProjectId>;
}

/** Makes admin apps. */
export interface AdminAppConstructor {
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: AdminAppOptions<Store, ProjectId>,
  ): AdminApp<Has<Store>, ProjectId>;
}

class Client {
  constructor(options: AnyAppOptions, platform: Platform = currentPlatform(), recipe = clientRecipe) {
    assemble(this, recipe(), options, platform);
  }

  static readonly [internals] = {
    fromClientJson: (json: ClientAppJson) => appFromJson(json, options => new Client(options)),
  };
}

class Server extends Client {
  constructor(options: AnyAppOptions, platform?: Platform, recipe = serverRecipe) {
    super(options, platform, recipe);
  }
}

class Admin extends Server {
  constructor(options: AnyAppOptions, platform?: Platform) {
    super(options, platform, adminRecipe);
  }
}

// The members of an app come from its features at run time; each feature declares which of the interfaces it fills.
export const ClientApp = Client as unknown as ClientAppConstructor;
export const ServerApp = Server as unknown as ServerAppConstructor;
export const AdminApp = Admin as unknown as AdminAppConstructor;
