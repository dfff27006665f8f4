import type { Context } from '../../../app/context.ts';
import { entity } from '../../../objects/entity.ts';
import type { Session } from '../../../session/session.ts';
import { ownedProjects } from '../../projects/owned-projects.ts';
import type { ServerObjects } from '../../server/objects.ts';
import type { ServerUserFields, ServerUserMethods, ServerUserReads } from '../../server/user.ts';
import { endSession } from '../../sign-in/sign-out.ts';
import { primaryEmail } from '../primary-email.ts';
import { type AccountSafetyMethods, accountSafety } from '../safety/account-safety.ts';
import { type PasskeyRegistrationMethods, passkeyRegistration } from '../safety/passkey-registration.ts';
import { passwordChange } from '../safety/password-change.ts';
import type { ServerUserJson } from '../user.ts';
import { type ServerUserUpdateOptions, serverUpdateToWire, serverUserUpdate } from '../user-update.ts';
import { createCurrentUsers } from './current-user.ts';
import { type CurrentUserFeature, currentUserFeature } from './get-user.ts';
import { type UserSessionFields, type UserSessionMethods, userSession } from './user-session.ts';

/** What a server knows of the signed-in user, and of the session they came from. */
export interface CurrentServerUserFields extends ServerUserFields, UserSessionFields {}

/** What the signed-in user may do at a server, and the server with them. */
export interface CurrentServerUserMethods
  extends ServerUserMethods,
    UserSessionMethods,
    PasskeyRegistrationMethods,
    AccountSafetyMethods {}

/** The signed-in user as a server sees them. */
export interface CurrentServerUser extends CurrentServerUserFields, ServerUserReads, CurrentServerUserMethods {}

/** The signed-in user of an app with a server key. */
export function currentServerUser(
  client: Context<'client'>,
  { toUser, sessionsOf, refreshUser }: ServerObjects,
): CurrentUserFeature<CurrentServerUser, ServerUserJson> {
  const { call, config } = client.at('server');
  const projects = config.projectId === 'internal' ? ownedProjects(client) : undefined;

  function build(json: ServerUserJson, session: Session): CurrentServerUser {
    const user = toUser.parts(json);
    const own = userSession(session, options => endSession(client, session, options));
    const owned = projects?.(session);
    const changes = {
      async send(changes: ServerUserUpdateOptions) {
        await users.update(session, () => call('PATCH /users/me', { body: serverUpdateToWire(changes), session }));
        await refreshUser(json.id);
      },
      async remove() {
        await call('DELETE /users/me', { session });
        session.markInvalid();
        await refreshUser(json.id);
      },
    };
    return entity(
      { ...user.fields, ...own.fields },
      { ...user.reads, ...owned?.reads },
      {
        ...user.methods,
        ...own.methods,
        // With the session: the server tells the current one from the others by its access token.
        ...sessionsOf({ session, userId: json.id }),
        ...serverUserUpdate(changes),
        ...passkeyRegistration(client, session),
        ...accountSafety(client, session),
        ...primaryEmail(client, session, json.primary_email),
        updatePassword: passwordChange(client, session).updatePassword,
        ...owned?.methods,
      },
    );
  }

  const users = createCurrentUsers(
    client,
    session => call('GET /users/me', { session }),
    async () => build,
  );
  return currentUserFeature(client, users);
}
