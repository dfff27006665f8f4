import type { Context } from '../app/context.ts';
import { isCloudflareWorker } from '../platform/cloudflare.ts';
import { createEndedSessions } from './ended-sessions.ts';
import { eventsOf } from './event-stream.ts';
import type { PublicKeys } from './public-keys.ts';

/** The ended sessions of a project. */
export interface RevocationFeed {
  /**
   * Whether a session has ended, as known at most a second ago.
   *
   * @throws RequestError when the server cannot be reached: the answer would be a guess.
   */
  hasEnded(sessionId: string): Promise<boolean>;
}

/** The stream closes when no request was authenticated for this time, and opens at the next one. */
const idleMs = 60_000;
const reconnectPauseMs = 1_000;

/**
 * Follows the feed of ended sessions. A stream confirms the list several times a second. Where there is no stream, and
 * while it is interrupted, a call that finds the list older than half a second requests it.
 */
export function createRevocationFeed(ctx: Context<'server'>, keys: PublicKeys): RevocationFeed {
  const { platform, send } = ctx;
  const ended = createEndedSessions(ctx, keys);
  let usedAtMs = platform.now();
  let isStreaming = false;
  let streamAfterMs = 0;

  async function stream(): Promise<void> {
    const path = '/extensions/ended-sessions/stream';
    const response = await send({ path, init: {}, level: 'server', session: null }, response => response);
    for await (const event of eventsOf(response)) {
      if (event === undefined) ended.confirm(platform.now());
      else await ended.take(Object(event).feed, platform.now());
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
      keepStreaming();
      await ended.refresh(usedAtMs);
      return ended.has(sessionId);
    },
  };
}
