import { type CurrentServerUser, currentServerUser } from '../features/account/current-server-user.ts';
import type { CurrentUserFeature, GetCurrentUser, GetUserOptions } from '../features/account/get-user.ts';
import { type ProjectReads, project } from '../features/projects/project.ts';
import { type SendEmailMethods, sendEmail } from '../features/server/emails.ts';
import { serverObjects } from '../features/server/objects.ts';
import type { ServerTeamsMethods, ServerTeamsReads } from '../features/server/teams.ts';
import type { ServerUser } from '../features/server/user.ts';
import type { UserById, Users, UsersMethods, UsersReads } from '../features/server/users.ts';
import type { Platform } from '../platform/platform.ts';
import { type AppFields, type AppMethods, Client, everywhere, type Has, type UserOf } from './app.ts';
import type { ServerAppInternals } from './app-internals.ts';
import type { Recipe } from './assemble.ts';
import type { AnyAppOptions } from './config.ts';
import type { Context } from './context.ts';
import { internals } from './internals-symbol.ts';
import type { ServerAppOptions, TokenStoreInit } from './options.ts';
import { serverKeys } from './server-keys.ts';

/** Reads the signed-in user, or any user by id or API key. */
export interface GetServerUser<User, HasTokenStore extends boolean> extends GetCurrentUser<User, HasTokenStore> {
  /** The user with this id or this API key; null when there is none. */
  (which: UserById): Promise<ServerUser | null>;
}

/** Methods that a server app has on top of a client app. */
export interface ServerAppMethods<User, HasTokenStore extends boolean>
  extends UsersMethods,
    ServerTeamsMethods,
    SendEmailMethods {
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

/** The features of the server level. */
export function server(client: Context<'client'>) {
  const ctx = client.at('server');
  const objects = serverObjects(ctx);
  const { users, teams } = objects;
  const current = currentServerUser(client, objects);
  const getUser = anyUser(current.methods.getUser, users.userOf.fetch);
  return {
    reads: { ...users.reads, ...teams.reads },
    methods: {
      ...users.methods,
      ...teams.methods,
      ...sendEmail(ctx).methods,
      getUser,
      getServerUser(options?: GetUserOptions) {
        client.platform.warn('getServerUser is deprecated. Use getUser.');
        return getUser(options);
      },
    },
    internals: { ...current.internals, userById: users.userOf.reader },
  };
}

/** One function for the signed-in user and for any user. */
function anyUser<User>(
  current: CurrentUserFeature<User, never>['methods']['getUser'],
  byId: Users['userOf']['fetch'],
): (which?: GetUserOptions | UserById) => Promise<User | ServerUser | null> {
  return async which => {
    if (typeof which === 'string') return byId(which);
    return which !== undefined && 'apiKey' in which ? byId(which) : current(which);
  };
}

/** Features of server and admin apps. The `project` feature differs between the two. */
export const onServers: Recipe['features'] = [...everywhere, server];

const serverRecipe: Recipe = { keysOf: serverKeys, features: [...onServers, project] };

export class Server extends Client {
  constructor(options: AnyAppOptions, platform?: Platform, recipe: Recipe = serverRecipe) {
    super(options, platform, recipe);
  }
}

/** Constructs server apps. */
// The features add the members at run time. Each feature declares the interfaces that it implements.
export const ServerApp = Server as unknown as ServerAppConstructor;
