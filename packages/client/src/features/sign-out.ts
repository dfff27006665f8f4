import { accessTokenLeftForRequestMs } from '@tessera/protocol/limits';
import type { Context } from '../context.ts';
import { loadErrors } from '../known-errors.ts';
import type { Session } from '../session/session.ts';

/** Where to go after signing out. */
export interface SignOutOptions {
  /** Default: `urls.afterSignOut`. */
  readonly redirectUrl?: URL | string;
}

/** Ending the session. */
export interface SignOutMethods {
  /** Ends the session on the server and in every tab, then leaves the page. Does nothing when nobody is signed in. */
  signOut(options?: SignOutOptions): Promise<void>;
}

export function signOut(ctx: Context<'client'>): { methods: SignOutMethods } {
  return {
    methods: {
      async signOut(options) {
        const session = ctx.sessions.of();
        if (!session.isKnownInvalid) await endSession(ctx, session, options);
      },
    },
  };
}

/** Ends a session on the server and here, then leaves the page. With one that has ended already it only leaves. */
export async function endSession(
  ctx: Context<'client'>,
  session: Session,
  { redirectUrl }: SignOutOptions = {},
): Promise<void> {
  // Nothing that was fetched with this session may be stored once it has ended.
  await ctx.writeLock.hold(async () => {
    if (await session.getLikelyValidTokens(accessTokenLeftForRequestMs)) await revoke(ctx, session);
    session.markInvalid();
  });
  if (redirectUrl === undefined) await ctx.navigation.toPage('afterSignOut');
  else await ctx.navigation.to(String(redirectUrl), { replace: true });
}

async function revoke(ctx: Context<'client'>, session: Session): Promise<void> {
  try {
    await ctx.call('DELETE /auth/sessions/current', { session });
  } catch (error) {
    const { isKnown } = await loadErrors();
    if (!isKnown(error, 'REFRESH_TOKEN_ERROR')) throw error;
  }
}
