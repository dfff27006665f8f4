import type { endedSessionsType } from '@tessera/protocol';
import { apiPath, endedSessionFreshMs } from '@tessera/protocol/limits';
import type { Context } from '../app/context.ts';
import { isCloudflareWorker } from '../platform/cloudflare.ts';
import { RequestError } from '../transport/request-error.ts';
import { eventsOf } from './event-stream.ts';
import type { PublicKeys } from './public-keys.ts';
import { openSigned } from './signed-text.ts';

/** The ended sessions of a project. */
export interface RevocationFeed {
  /**
   * Whether a session has ended, as known at most a second ago.
   *
   * @throws RequestError when the server cannot be reached: the answer would be a guess.
   */
  hasEnded(sessionId: string): Promise<boolean>;
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
const sweepIntervalMs = 60_000;
/** The stream closes when no request was authenticated for this time, and opens at the next one. */
const idleMs = 60_000;
const reconnectPauseMs = 1_000;
const requestTimeoutMs = 10_000;

/**
 * Follows the feed of ended sessions. A stream confirms the list several times a second. Where there is no stream, and
 * while it is interrupted, a call that finds the list older than half a second requests it.
 */
export function createRevocationFeed(ctx: Context<'server'>, keys: PublicKeys): RevocationFeed {
  const { config, platform, send } = ctx;
  const ended = createEndedSessions(platform.now());
  let cursor: string | undefined;
  let etag: string | undefined;
  let confirmedAtMs = Number.NEGATIVE_INFINITY;
  let usedAtMs = platform.now();
  let isStreaming = false;
  let streamAfterMs = 0;
  let polling: Promise<void> | undefined;

  async function take(signed: unknown, sentAtMs: number): Promise<void> {
    const payload = typeof signed === 'string' ? await openSigned(signed, keys, feedType) : undefined;
    if (!isFeed(payload, config.projectId)) {
      throw new RequestError('unexpected-answer', 'The feed of ended sessions is not signed by the project.');
    }
    for (const id of payload.session_ids) ended.add(id, sentAtMs + payload.keep_millis);
    cursor = payload.cursor;
    confirm(sentAtMs);
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

  /** Concurrent calls share a request, except where a request belongs to one invocation. */
  function pollOnce(): Promise<void> {
    if (isCloudflareWorker()) return poll();
    polling ??= poll().finally(() => {
      polling = undefined;
    });
    return polling;
  }

  async function stream(): Promise<void> {
    const path = '/extensions/ended-sessions/stream';
    const response = await send({ path, init: {}, level: 'server', session: null }, response => response);
    for await (const event of eventsOf(response)) {
      if (event === undefined) confirm(platform.now());
      else await take(Object(event).feed, platform.now());
      if (platform.now() - usedAtMs > idleMs) return;
    }
  }

  function keepStreaming(): void {
    // In Cloudflare Workers nothing runs between requests, and a request cannot use the connection of another one.
    if (isStreaming || isCloudflareWorker() || platform.now() < streamAfterMs) return;
    isStreaming = true;
    const end = () => {
      isStreaming = false;
      streamAfterMs = platform.now() + reconnectPauseMs;
    };
    // A stream that fails is no failure: the next call polls, and reports what it finds.
    stream().then(end, end);
  }

  return {
    async hasEnded(sessionId) {
      usedAtMs = platform.now();
      ended.sweep(usedAtMs);
      keepStreaming();
      if (usedAtMs - confirmedAtMs > endedSessionFreshMs) await pollOnce();
      return ended.has(sessionId);
    },
  };
}

/** The sessions that have ended, each until the time to forget it. */
function createEndedSessions(createdAtMs: number) {
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
