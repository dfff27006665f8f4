import type { CurrentServerUser } from '../features/account/current-user/current-server-user.ts';
import type { GetCurrentUser, UserObservation } from '../features/account/current-user/get-user.ts';
import { type ProjectReads, project } from '../features/projects/project.ts';
import type { AuthenticationMethods } from '../features/server/authentication.ts';
import type { SendEmailMethods } from '../features/server/emails.ts';
import type { ServerTeamsMethods, ServerTeamsReads } from '../features/server/teams.ts';
import type { ServerUser } from '../features/server/user.ts';
import type { UserById, UsersMethods, UsersReads } from '../features/server/users.ts';
import { boundFetch } from '../platform/bounded-fetch.ts';
import { currentPlatform } from '../platform/current-platform.ts';
import type { Platform } from '../platform/platform.ts';
import type { AppFields, AppMethods, Has, UserOf } from './app.ts';
import type { ServerAppInternals } from './app-internals.ts';
import type { Recipe } from './assemble.ts';
import { App } from './base-app.ts';
import type { AnyAppOptions } from './config/config.ts';
import type { ServerAppOptions, TokenStoreInit } from './config/options.ts';
import { serverKeys } from './config/server-keys.ts';
import { internals } from './internals-symbol.ts';
import { onServers } from './server-features.ts';

/**
 * Reads the signed-in user, or any user by id or API key. An intersection and not one interface: TypeScript then accepts a
 * server app without a token store where a client app is expected.
 */
export type GetServerUser<User, HasTokenStore extends boolean> = GetCurrentUser<User, HasTokenStore> & GetUserById;

/** The user with this id or this API key; null when there is none. */
type GetUserById = (which: UserById) => Promise<ServerUser | null>;

/** Methods that a server app has on top of a client app. */
export interface ServerAppMethods<User, HasTokenStore extends boolean>
  extends UsersMethods,
    ServerTeamsMethods,
    SendEmailMethods,
    AuthenticationMethods<User>,
    UserObservation<User> {
  /** Reads the signed-in user, or any user. */
  readonly getUser: GetServerUser<User, HasTokenStore>;
  /** @deprecated Use `getUser`. */
  readonly getServerUser: GetCurrentUser<User, HasTokenStore>;
}

/** An app with server access. Its users have server-only fields. */
export interface ServerApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string>
  extends AppFields<ProjectId>,
    AppMethods,
    ServerAppMethods<UserOf<ProjectId, CurrentServerUser>, HasTokenStore>,
    ProjectReads,
    UsersReads,
    ServerTeamsReads {
  /** Internals for `@tessera/react`; not for apps. */
  readonly [internals]: ServerAppInternals<UserOf<ProjectId, CurrentServerUser>>;
}

/** Constructs server apps. */
export interface ServerAppConstructor {
  /** Options that are left out come from the environment. @throws when one is missing; the error names the variable. */
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: ServerAppOptions<Store, ProjectId>,
  ): ServerApp<Has<Store>, ProjectId>;
}

const serverRecipe: Recipe = {
  level: 'server',
  keysOf: serverKeys,
  loadAdminApp: async () => (await import('./admin-app.ts')).AdminApp,
  features: [...onServers, project],
};

class Server extends App {
  static override readonly level = 'server';

  constructor(options: AnyAppOptions, platform: Platform = currentPlatform()) {
    super(serverRecipe, options, boundFetch(platform));
  }
}

/**
 * Constructs server apps.
 *
 * @example
 * const app = new ServerApp({ tokenStore: null });
 * const session = await app.authenticate(request);
 */
// The features add the members at run time. Each feature declares the interfaces that it implements.
export const ServerApp = Server as unknown as ServerAppConstructor;
