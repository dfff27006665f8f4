import type { Context } from '../../../app/context.ts';
import { isOneOf } from '../../../errors/known-errors.ts';
import { toResult } from '../../../errors/result.ts';
import type { Session } from '../../../session/session.ts';
import { once } from '../../../util/once.ts';
import type { UserApiKeyMethods, UserApiKeyReads } from '../../api-keys/api-keys.ts';
import type { Team, UserTeamMethods, UserTeamReads } from '../../teams/teams.ts';
import type { ConnectedAccountReads } from '../connected-accounts.ts';
import type { ContactChannelCreation, ContactChannelReads } from '../contact-channels.ts';
import type { NotificationReads } from '../notifications.ts';
import type { PermissionMethods, PermissionReads } from '../permissions.ts';
import type { PrimaryEmailMethods } from '../primary-email.ts';
import type { AccountSafetyMethods } from '../safety/account-safety.ts';
import type { ActiveSessionMethods } from '../safety/active-sessions.ts';
import type { PasskeyRegistrationMethods } from '../safety/passkey-registration.ts';
import type { PasswordChangeMethods } from '../safety/password-change.ts';
import type { UserFields, UserJson } from '../user.ts';
import type { UserUpdateMethods } from '../user-update.ts';
import { type CurrentUserFeature, type CurrentUsers, currentUserFeature } from './get-user.ts';
import type { UserSessionFields, UserSessionMethods } from './user-session.ts';

/** Fields of the signed-in user and of their session. */
export interface CurrentUserFields extends UserFields, UserSessionFields {
  /** The selected team; null for none. */
  readonly selectedTeam: Team | null;
}

/** Reads of the signed-in user. */
export interface CurrentUserReads
  extends ContactChannelReads,
    NotificationReads,
    ConnectedAccountReads,
    UserTeamReads<Team>,
    PermissionReads,
    UserApiKeyReads {}

/** Methods of the signed-in user. */
export interface CurrentUserMethods
  extends UserSessionMethods,
    UserUpdateMethods,
    PasswordChangeMethods,
    PrimaryEmailMethods,
    ContactChannelCreation,
    UserTeamMethods<Team>,
    PermissionMethods,
    ActiveSessionMethods,
    UserApiKeyMethods,
    PasskeyRegistrationMethods,
    AccountSafetyMethods {
  /** The user as the server sent it. */
  toClientJson(): UserJson;
}

/** The signed-in user. */
export interface CurrentUser extends CurrentUserFields, CurrentUserReads, CurrentUserMethods {}

/** Converts JSON to the public user object. */
export type BuildUser<User, Json> = (json: Json, session: Session) => User;

/** The signed-in user of a client app. */
export function currentUser(ctx: Context<'client'>): CurrentUserFeature<CurrentUser, UserJson> {
  // A lazy chunk, loaded in parallel with the request. A page without a signed-in user does not need it.
  const build = once(async () => (await import('./current-user-objects.ts')).currentUserObjects(ctx, users.update));
  const users: CurrentUsers<CurrentUser, UserJson> = createCurrentUsers(
    ctx,
    session => ctx.call('GET /users/me', { session }),
    build,
  );
  return currentUserFeature(ctx, users);
}

/** The shared part of both levels. */
export function createCurrentUsers<User, Json>(
  ctx: Context<'client'>,
  read: (session: Session) => Promise<Json>,
  build: () => Promise<BuildUser<User, Json>>,
): CurrentUsers<User, Json> {
  const { entry } = ctx.resources.make('user', (session: Session) => ({
    load: () => load(session),
    known: () => (session.isKnownInvalid ? null : undefined),
    watch: (changed: () => void) => session.onEnd(changed),
    // After a sleep the session may have been ended elsewhere, without a trace in this browser.
    maxAgeOnReturnMs: 60_000,
  }));

  async function load(session: Session): Promise<User | null> {
    // Without a request, so that the result precedes failures of other hooks.
    if (session.isKnownInvalid) return null;
    try {
      const [json, toUser] = await Promise.all([read(session), build()]);
      return toUser(json, session);
    } catch (error) {
      if (await isOneOf(error, ['CANNOT_GET_OWN_USER_WITHOUT_USER'])) return null;
      throw error;
    }
  }

  const fromJson = async (json: Json, session: Session) => (await build())(json, session);
  const lastUpdates = new WeakMap<Session, Promise<unknown>>();

  async function update(session: Session, send: () => Promise<Json>): Promise<void> {
    // Of two updates at once, the response that arrives last may lack the other change.
    const sent = Promise.resolve(lastUpdates.get(session)).then(send);
    const stored = sent.then(json => entry(session).store(fromJson(json, session)));
    lastUpdates.set(session, toResult(stored));
    await stored;
  }

  return { entry, fromJson, update };
}
