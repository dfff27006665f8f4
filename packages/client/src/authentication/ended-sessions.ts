import type { endedSessionsType } from '@tessera/protocol';
import { apiPath, endedSessionFreshMs } from '@tessera/protocol/limits';
import type { Context } from '../app/context.ts';
import { RequestError } from '../transport/request-error.ts';
import type { PublicKeys } from './public-keys.ts';
import { shareRequest } from './shared-request.ts';
import { openSigned } from './signed-text.ts';

/** The ended sessions of a project, as this process knows them. */
export interface EndedSessions {
  has(sessionId: string): boolean;
  /** Adds the sessions of a signed feed that was requested, or arrived, at this time. */
  take(signed: unknown, atMs: number): Promise<void>;
  /** The list was complete at this time. */
  confirm(atMs: number): void;
  /** Requests the feed when the list was last confirmed more than half a second before this time. */
  refresh(nowMs: number): Promise<void>;
}

interface FeedPayload {
  readonly iss: string;
  readonly aud: string;
  readonly cursor: string;
  readonly is_complete: boolean;
  readonly keep_millis: number;
  readonly session_ids: readonly string[];
}

/** A checked copy: the protocol declares it beside schemas, which the SDK does not load. */
const feedType: typeof endedSessionsType = 'ended-sessions+jwt';
const requestTimeoutMs = 10_000;
const sweepIntervalMs = 60_000;

export function createEndedSessions(ctx: Context<'server'>, keys: PublicKeys): EndedSessions {
  const { config, platform, send } = ctx;
  const ended = createExpiringIds(platform.now());
  let cursor: string | undefined;
  let etag: string | undefined;
  let confirmedAtMs = Number.NEGATIVE_INFINITY;

  async function take(signed: unknown, atMs: number): Promise<void> {
    const payload = typeof signed === 'string' ? await openSigned(signed, keys, feedType) : undefined;
    if (!isFeed(payload, config.projectId)) {
      throw new RequestError('unexpected-answer', 'The feed of ended sessions is not signed by the project.');
    }
    for (const id of payload.session_ids) ended.add(id, atMs + payload.keep_millis);
    cursor = payload.cursor;
    confirm(atMs);
  }

  function confirm(atMs: number): void {
    confirmedAtMs = Math.max(confirmedAtMs, atMs);
  }

  async function poll(): Promise<void> {
    const sentAtMs = platform.now();
    const after = cursor;
    const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
    const headers = new Headers(etag === undefined ? undefined : { 'if-none-match': etag });
    const path = `/extensions/ended-sessions${query}`;
    try {
      const init = { headers, signal: AbortSignal.timeout(requestTimeoutMs) };
      const answer = await send({ path, init, level: 'server', session: null }, async response => ({
        feed: (await response.json()).feed,
        etag: response.headers.get('etag') ?? undefined,
      }));
      await take(answer.feed, sentAtMs);
      // The next request asks after another cursor, unless nothing has changed.
      etag = cursor === after ? answer.etag : undefined;
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 304) throw error;
      confirm(sentAtMs);
    }
  }

  const pollOnce = shareRequest(poll);

  return {
    has: ended.has,
    take,
    confirm,
    async refresh(nowMs) {
      ended.sweep(nowMs);
      if (nowMs - confirmedAtMs > endedSessionFreshMs) await pollOnce();
    },
  };
}

/** Ids, each until the time to forget it. */
function createExpiringIds(createdAtMs: number) {
  const forgetAtMsById = new Map<string, number>();
  let sweptAtMs = createdAtMs;
  return {
    add: (id: string, forgetAtMs: number) => forgetAtMsById.set(id, forgetAtMs),
    has: (id: string) => forgetAtMsById.has(id),
    sweep(nowMs: number): void {
      if (nowMs - sweptAtMs < sweepIntervalMs) return;
      sweptAtMs = nowMs;
      for (const [id, forgetAtMs] of forgetAtMsById) if (forgetAtMs <= nowMs) forgetAtMsById.delete(id);
    },
  };
}

function isFeed(payload: unknown, projectId: string): payload is FeedPayload {
  const { iss, aud, cursor, keep_millis, session_ids } = Object(payload);
  return (
    aud === projectId &&
    typeof iss === 'string' &&
    iss.endsWith(`${apiPath}/projects/${projectId}/ended-sessions`) &&
    typeof cursor === 'string' &&
    typeof keep_millis === 'number' &&
    Array.isArray(session_ids)
  );
}
