import type { Context } from '../context.ts';
import { entity } from '../entity.ts';
import type { Session } from '../session/session.ts';
import { clientView } from './client-view.ts';
import { type CurrentUser, createCurrentUsers } from './current-user.ts';
import { type UserPart, userPart } from './get-user.ts';
import { endSession } from './sign-out.ts';
import { type ServerUserFields, type ServerUserJson, serverUserFromWire } from './user.ts';
import { userSession } from './user-session.ts';
import {
  type ServerUserUpdateMethods,
  type ServerUserUpdateOptions,
  serverUpdateToWire,
  serverUserUpdate,
} from './user-update.ts';

/** The signed-in user as a server sees them. */
export interface CurrentServerUser
  extends Omit<CurrentUser, keyof ServerUserFields | keyof ServerUserUpdateMethods>,
    ServerUserFields,
    ServerUserUpdateMethods {}

/** The signed-in user of an app with a server key. */
export function currentServerUser(client: Context<'client'>): UserPart<CurrentServerUser, ServerUserJson> {
  const { call } = client.at('server');
  const calls = {
    read: (session: Session) => call('GET /users/me', { session }),
    update: (changes: ServerUserUpdateOptions, session: Session) =>
      call('PATCH /users/me', { body: serverUpdateToWire(changes), session }),
  };
  const users = createCurrentUsers(client, calls, (json, session, changes): CurrentServerUser => {
    const own = userSession(session, options => endSession(client, session, options));
    const methods = { ...own.methods, ...serverUserUpdate(changes), toClientJson: () => clientView(json) };
    return entity({ ...serverUserFromWire(json), ...own.fields }, {}, methods);
  });
  return userPart(client, users);
}
