import type { Entry } from '../cache/entry.ts';
import type { Context } from '../context.ts';
import { entity } from '../entity.ts';
import { loadErrors } from '../known-errors.ts';
import type { Session } from '../session/session.ts';
import { type UserPart, userPart } from './get-user.ts';
import { endSession } from './sign-out.ts';
import { type UserFields, type UserJson, userFromWire } from './user.ts';
import { type UserSessionFields, type UserSessionMethods, userSession } from './user-session.ts';
import {
  type UserChanges,
  type UserUpdateMethods,
  type UserUpdateOptions,
  updateToWire,
  userUpdate,
} from './user-update.ts';

/** The signed-in user, with all that they may do. */
export interface CurrentUser extends UserFields, UserSessionFields, UserSessionMethods, UserUpdateMethods {
  /** The user as the server sent it. */
  toClientJson(): UserJson;
}

/** The users of sessions: fetched as JSON, kept as objects. */
export interface CurrentUsers<User, Json> {
  /** The user of a session; null when nobody is signed in. */
  entry(session: Session): Entry<User | null>;
  fromJson(json: Json, session: Session): User;
}

/** Calls about the user of a session, at one level. */
interface Calls<Json, Changes> {
  read(session: Session): Promise<Json>;
  update(changes: Changes, session: Session): Promise<Json>;
}

/** How JSON becomes the object that users of the SDK hold. */
type Build<User, Json, Changes> = (json: Json, session: Session, changes: UserChanges<Changes>) => User;

/** The signed-in user of an app without a server key. */
export function currentUser(ctx: Context<'client'>): UserPart<CurrentUser, UserJson> {
  const calls: Calls<UserJson, UserUpdateOptions> = {
    read: session => ctx.call('GET /users/me', { session }),
    update: (changes, session) => ctx.call('PATCH /users/me', { body: updateToWire(changes), session }),
  };
  const users = createCurrentUsers(ctx, calls, (json, session, changes): CurrentUser => {
    const own = userSession(session, options => endSession(ctx, session, options));
    const methods = { ...own.methods, ...userUpdate(changes), toClientJson: () => json };
    return entity({ ...userFromWire(json), ...own.fields }, {}, methods);
  });
  return userPart(ctx, users);
}

/** The shared part of both levels. */
export function createCurrentUsers<User, Json, Changes>(
  ctx: Context<'client'>,
  calls: Calls<Json, Changes>,
  build: Build<User, Json, Changes>,
): CurrentUsers<User, Json> {
  const { entry } = ctx.resource((session: Session) => ({
    load: () => load(session),
    known: () => (session.isKnownInvalid ? null : undefined),
    watch: (changed: () => void) => session.onEnd(changed),
  }));

  async function load(session: Session): Promise<User | null> {
    // Without a request, so that this answer is there before other hooks fail.
    if (session.isKnownInvalid) return null;
    try {
      return fromJson(await calls.read(session), session);
    } catch (error) {
      const { isKnown } = await loadErrors();
      if (isKnown(error, 'CANNOT_GET_OWN_USER_WITHOUT_USER')) return null;
      throw error;
    }
  }

  function fromJson(json: Json, session: Session): User {
    return build(json, session, {
      async send(changes) {
        const changed = await calls.update(changes, session);
        await entry(session).store(Promise.resolve(fromJson(changed, session)));
      },
      async remove() {
        await ctx.call('DELETE /users/me', { session });
        session.markInvalid();
      },
    });
  }

  return { entry, fromJson };
}
