import { refreshTokenOverlapMs } from '@tessera/protocol/limits';
import { userJson } from '../apps.ts';
import { json, knownError } from '../stub-server.ts';
import type { SetTime } from './time.ts';

const accessLifeMs = 600_000;

interface ServerSession {
  readonly id: string;
  readonly person: string;
  refreshToken: string;
  /** Tokens that were replaced, with the time. */
  readonly replaced: Map<string, number>;
  hasEnded: boolean;
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
    const session = sessions.find(({ refreshToken, replaced }) => refreshToken === token || replaced.has(token));
    if (session === undefined || session.hasEnded) return knownError('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', 401);
    const replacedAt = session.replaced.get(token);
    if (replacedAt !== undefined && time.now() - replacedAt > refreshTokenOverlapMs) {
      // Control 25: whoever has it may be a thief.
      session.hasEnded = true;
      return knownError('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', 401);
    }
    if (rotates && replacedAt === undefined) {
      session.replaced.set(token, time.now());
      session.refreshToken = `${session.id}-${session.replaced.size}`;
    }
    const next = rotates ? { refresh_token: session.refreshToken } : {};
    return json({ access_token: tokenFor(session), token_type: 'Bearer', expires_in: 600, ...next });
  }

  function signIn(person: string): Response {
    count++;
    const id = `session-${count}`;
    const session: ServerSession = { id, person, refreshToken: `${id}-0`, replaced: new Map(), hasEnded: false };
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
