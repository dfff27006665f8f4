import type { Context } from '../../app/context.ts';
import { holdWrites } from '../../cache/write-lock.ts';
import { isOneOf } from '../../errors/known-errors.ts';
import type { Session } from '../../session/session.ts';

/** Where to go after signing out. */
export interface SignOutOptions {
  /** Default: `urls.afterSignOut`. */
  readonly redirectUrl?: URL | string | undefined;
}

/** Ending the session. */
export interface SignOutMethods {
  /**
   * Ends the session on the server and in every tab, then leaves the page. Does nothing when no user is signed in.
   *
   * @throws RequestError when the server cannot be reached. The tabs have forgotten the session; on the server it
   *   lives on.
   */
  signOut(options?: SignOutOptions): Promise<void>;
}

export function signOutFlow(ctx: Context<'client'>): SignOutMethods {
  return {
    async signOut(options) {
      const session = await ctx.sessions.of();
      if (session.isKnownInvalid || (await isAnonymous(ctx, session))) return;
      await endSession(ctx, session, options);
    },
  };
}

/** An anonymous user has no credentials and could not sign in again. */
async function isAnonymous(ctx: Context<'client'>, session: Session): Promise<boolean> {
  const shown = ctx.resources.peek('user', session);
  if (shown?.status === 'ok') return Object(shown.data).isAnonymous === true;
  try {
    return (await ctx.call('GET /users/me', { session })).is_anonymous;
  } catch (error) {
    if (await isOneOf(error, ['CANNOT_GET_OWN_USER_WITHOUT_USER'])) return false;
    throw error;
  }
}

/**
 * Ends a session on the server and here, then leaves the page. With one that has ended already it only leaves.
 *
 * @throws when the server did not end it. It has ended here.
 */
export async function endSession(
  ctx: Context<'client'>,
  session: Session,
  { redirectUrl }: SignOutOptions = {},
): Promise<void> {
  // Nothing that was fetched with this session may be stored once it has ended.
  await holdWrites(session, async () => {
    try {
      if (await session.getLikelyValidTokens()) await revoke(ctx, session);
    } finally {
      // Users leave a device that they share also when it is offline.
      session.markInvalid();
    }
  });
  if (redirectUrl === undefined) await ctx.navigation.toPage('afterSignOut');
  else await ctx.navigation.to(String(redirectUrl), { replace: true });
}

async function revoke(ctx: Context<'client'>, session: Session): Promise<void> {
  try {
    await ctx.call('DELETE /auth/sessions/current', { session });
  } catch (error) {
    if (!(await isOneOf(error, ['REFRESH_TOKEN_ERROR']))) throw error;
  }
}
