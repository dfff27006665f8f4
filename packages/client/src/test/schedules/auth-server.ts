import { refreshTokenOverlapMs } from '@tessera/protocol/limits';
import { userJson } from '../apps.ts';
import { json, knownError } from '../stub-server.ts';
import type { SetTime } from './time.ts';

const accessLifeMs = 600_000;

interface ServerSession {
  readonly id: string;
  readonly person: string;
  refreshToken: string;
  /** Tokens that were exchanged. */
  readonly exchanged: Map<string, Exchange>;
  hasEnded: boolean;
}

interface Exchange {
  readonly at: number;
  readonly successor: string;
  /** It took the place of a token that came back, and was exchanged for the next one without having been used. */
  readonly isWithdrawn: boolean;
}

/** As much of the server as sessions need. Requests are its bodies and headers; answers carry its time. */
export function createAuthServer(time: SetTime, { rotates }: { rotates: boolean }) {
  const sessions: ServerSession[] = [];
  let count = 0;

  function tokenFor({ id, person }: ServerSession): string {
    count++;
    const claims = { sub: person, jti: count, refreshTokenId: id, exp: Math.floor((time.now() + accessLifeMs) / 1000) };
    return `head.${btoa(JSON.stringify(claims))}.signature`;
  }

  function bearer(headers: Headers): ServerSession | undefined | 'expired' {
    const token = headers.get('x-stack-access-token');
    if (token === null) return undefined;
    const claims = JSON.parse(atob(token.split('.')[1] ?? ''));
    if (claims.exp * 1000 <= time.now()) return 'expired';
    return sessions.find(({ id }) => id === claims.refreshTokenId);
  }

  function refresh(token: string): Response {
    const session = sessions.find(({ refreshToken, exchanged }) => refreshToken === token || exchanged.has(token));
    if (session === undefined || session.hasEnded) return knownError('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', 401);
    const next = rotates ? exchange(session, token) : undefined;
    if (next === null) {
      // Control 25: the holder of a replaced token may be an attacker.
      session.hasEnded = true;
      return knownError('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', 401);
    }
    const answer = { access_token: tokenFor(session), token_type: 'Bearer', expires_in: 600 };
    return json(next === undefined ? answer : { ...answer, refresh_token: next });
  }

  /**
   * Control 25: the token that replaces this one. Within the grace time it is the same at each request; later it is a
   * new one, as long as the issued one is unused. Null for a token that must belong to another holder.
   */
  function exchange(session: ServerSession, token: string): string | null {
    const { exchanged, refreshToken } = session;
    const earlier = exchanged.get(token);
    if (earlier === undefined) return give(session, token, false);
    const last = lastGiven(exchanged, earlier);
    const changedAt = earlier.isWithdrawn ? earlier.at : last.at;
    if (time.now() - changedAt <= refreshTokenOverlapMs) return last.successor;
    if (earlier.isWithdrawn || last.successor !== refreshToken) return null;
    return give(session, refreshToken, true);
  }

  function lastGiven(exchanged: ReadonlyMap<string, Exchange>, earlier: Exchange): Exchange {
    const next = exchanged.get(earlier.successor);
    return next?.isWithdrawn === true ? lastGiven(exchanged, next) : earlier;
  }

  function give(session: ServerSession, token: string, isWithdrawn: boolean): string {
    count++;
    session.refreshToken = `${session.id}-${count}`;
    session.exchanged.set(token, { at: time.now(), successor: session.refreshToken, isWithdrawn });
    return session.refreshToken;
  }

  function signIn(person: string): Response {
    count++;
    const id = `session-${count}`;
    const session: ServerSession = { id, person, refreshToken: `${id}-0`, exchanged: new Map(), hasEnded: false };
    sessions.push(session);
    return json({ access_token: tokenFor(session), refresh_token: session.refreshToken, user_id: person });
  }

  function answer(method: string, path: string, headers: Headers, body: string): Response {
    if (path.endsWith('/auth/oauth/token')) return refresh(new URLSearchParams(body).get('refresh_token') ?? '');
    if (path.endsWith('/auth/password/sign-in')) return signIn(JSON.parse(body).email);
    const session = bearer(headers);
    if (session === 'expired') return knownError('ACCESS_TOKEN_EXPIRED', 401, { expired_at_millis: 0 });
    if (method === 'DELETE' && path.endsWith('/auth/sessions/current')) {
      if (session === undefined || session.hasEnded) return knownError('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', 401);
      session.hasEnded = true;
      return json({ success: true });
    }
    if (path.endsWith('/users/me')) {
      if (session === undefined) return knownError('CANNOT_GET_OWN_USER_WITHOUT_USER', 400);
      return json({ ...userJson, id: session.person });
    }
    return json({});
  }

  return {
    /** Access tokens outlive their session for a while, as on the real server. */
    fetch(method: string, path: string, headers: Headers, body: string): Response {
      const response = answer(method, path, headers, body);
      response.headers.set('date', new Date(time.now()).toUTCString());
      return response;
    },
  };
}

export type AuthServer = ReturnType<typeof createAuthServer>;
