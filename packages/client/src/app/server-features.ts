import { currentServerUser } from '../features/account/current-user/current-server-user.ts';
import type { CurrentUserFeature, GetUserOptions } from '../features/account/current-user/get-user.ts';
import { authentication } from '../features/server/authentication.ts';
import { sendEmail } from '../features/server/emails.ts';
import { serverObjects } from '../features/server/objects.ts';
import type { ServerUser } from '../features/server/user.ts';
import type { UserById, Users } from '../features/server/users.ts';
import type { Recipe } from './assemble.ts';
import { everywhere } from './base-app.ts';
import type { Context } from './context.ts';

/** The features of the server level. */
export function server(client: Context<'client'>, objects = serverObjects(client.at('server'))) {
  const ctx = client.at('server');
  const { users, teams } = objects;
  const current = currentServerUser(client, objects);
  const getUser = anyUser(current.methods.getUser, users.userOf.fetch);
  return {
    reads: { ...users.reads, ...teams.reads },
    methods: {
      ...users.methods,
      ...teams.methods,
      ...sendEmail(ctx).methods,
      ...authentication(client, current.methods.getUser).methods,
      getUser,
      user: current.methods.user,
      onUserChange: current.methods.onUserChange,
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
