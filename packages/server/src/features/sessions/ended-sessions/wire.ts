import type { EndedSessions } from './store.ts';

interface Context {
  readonly projectId: string;
  readonly issuer: string;
  readonly keepMs: number;
  readonly nowMillis: number;
}

/** The payload of the signed feed. Its issuer differs from that of access tokens, so it cannot be used as one. */
export function endedSessionsView(
  { sessionIds, cursor, isComplete }: EndedSessions,
  { projectId, issuer, keepMs, nowMillis }: Context,
) {
  return {
    iss: issuer,
    aud: projectId,
    iat: Math.floor(nowMillis / 1000),
    cursor,
    is_complete: isComplete,
    keep_millis: keepMs,
    session_ids: sessionIds,
  };
}
