import { sessionLifetimeMs } from '@tessera/protocol/limits';
import type { Context } from '../../app/context.ts';
import type { Tokens } from '../../session/tokens.ts';
import type { Subject } from '../account/subject.ts';

/** A session that a server has opened. */
export interface Session {
  /** The first tokens of the session; every call returns the same pair. The client that receives them refreshes them. */
  getTokens(): Promise<Tokens>;
}

/** Opening sessions. */
export interface ServerSessionMethods {
  /** Opens a session without asking the user for anything. */
  createSession(options?: {
    /** Default a year; for an impersonation an hour. At most 367 days. */
    expiresInMillis?: number | undefined;
    /** Marks the session as not the user's own. Default false. */
    isImpersonation?: boolean | undefined;
  }): Promise<Session>;
}

export function createUserSessions(ctx: Context<'server'>): (subject: Subject) => ServerSessionMethods {
  return ({ userId }) => ({
    async createSession({ expiresInMillis, isImpersonation = false } = {}) {
      const { access_token, refresh_token } = await ctx.call('POST /auth/sessions', {
        body: {
          user_id: userId,
          // The server gives impersonations a short life of its own.
          expires_in_millis: expiresInMillis ?? (isImpersonation ? undefined : sessionLifetimeMs),
          is_impersonation: isImpersonation,
        },
        session: null,
      });
      const tokens = Object.freeze({ accessToken: access_token, refreshToken: refresh_token });
      return Object.freeze({ getTokens: async () => tokens });
    },
  });
}
