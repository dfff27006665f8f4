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

/** Asks for a user at a server. */
export interface GetServerUser<User, HasTokenStore extends boolean> extends GetCurrentUser<User, HasTokenStore> {
  /** The user with this id, or whom the API key belongs to; null when there is none. */
  (which: UserById): Promise<ServerUser | null>;
}

/** What a server adds to an app. */
export interface ServerAppMethods<User, HasTokenStore extends boolean>
  extends UsersMethods,
    ServerTeamsMethods,
    SendEmailMethods {
  /** Asks who is signed in, or for any user. */
  readonly getUser: GetServerUser<User, HasTokenStore>;
  /** @deprecated Use `getUser`. */
  readonly getServerUser: GetCurrentUser<User, HasTokenStore>;
}

/** What a server may do. Its users show what only servers may know. */
export interface ServerApp<HasTokenStore extends boolean = boolean, ProjectId extends string = string>
  extends AppFields<ProjectId>,
    AppMethods,
    ServerAppMethods<UserOf<ProjectId, CurrentServerUser>, HasTokenStore>,
    ProjectReads,
    UsersReads,
    ServerTeamsReads {
  /** What `@tessera/react` needs of the app; not for apps. */
  readonly [internals]: ServerAppInternals<UserOf<ProjectId, CurrentServerUser>>;
}

/** Makes server apps. */
export interface ServerAppConstructor {
  /** Takes what is left out from the environment. @throws when something is missing, naming the variable to set. */
  new <const Store extends TokenStoreInit, const ProjectId extends string = string>(
    options: ServerAppOptions<Store, ProjectId>,
  ): ServerApp<Has<Store>, ProjectId>;
}

/** Users and teams with the rights of a server. */
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

/** One name for who is signed in and for any user. */
function anyUser<User>(
  current: CurrentUserFeature<User, never>['methods']['getUser'],
  byId: Users['userOf']['fetch'],
): (which?: GetUserOptions | UserById) => Promise<User | ServerUser | null> {
  return async which => {
    if (typeof which === 'string') return byId(which);
    return which !== undefined && 'apiKey' in which ? byId(which) : current(which);
  };
}

/** What server and admin apps are made of; the project of an admin app is another one. */
export const onServers: Recipe['features'] = [...everywhere, server];

const serverRecipe: Recipe = { keysOf: serverKeys, features: [...onServers, project] };

export class Server extends Client {
  constructor(options: AnyAppOptions, platform?: Platform, recipe: Recipe = serverRecipe) {
    super(options, platform, recipe);
  }
}

/** Makes server apps. */
// The members of an app come from its features at run time; each feature declares which of the interfaces it fills.
export const ServerApp = Server as unknown as ServerAppConstructor;
