import type { AccessLevel } from '@tessera/protocol';
import { requestHeaders } from '@tessera/protocol/headers';
import type { Config } from '../app/config/config.ts';
import type { Platform } from '../platform/platform.ts';
import type { LiveTokens, Session } from '../session/session.ts';
import type { Clock } from '../util/clock.ts';
import { randomText } from '../util/random-text.ts';
import { isSuccess } from './answer.ts';
import { fetchMode } from './fetch-mode.ts';
import { headersFor } from './headers.ts';
import { isNetworkFailure, networkError } from './network-error.ts';
import { type Attempt, withRetries } from './retry.ts';

/** A request below `/api/v1`. */
export interface Outgoing {
  readonly path: string;
  readonly init: RequestInit;
  readonly level: AccessLevel;
  readonly session: Session | null;
}

/**
 * Sends a request, repeating it where that helps, also when the connection breaks while `read` reads the body.
 *
 * @returns what `read` makes of the successful answer.
 * @throws KnownError, or RequestError when there was no usable answer.
 */
export type Send = <T>(outgoing: Outgoing, read: Read<T>) => Promise<T>;

type Read<T> = (response: Response) => T | Promise<T>;

interface TransportDeps {
  readonly config: Config;
  readonly platform: Platform;
  readonly clock: Clock;
}

const readMethod = /^(GET|HEAD|OPTIONS|TRACE)$/;
const idempotentWrite = /^(PUT|DELETE)$/;
/** POST endpoints that only read. */
const readPath = /\/(check|check-code|details|render-email)$/;

/** What a repeated request needs to know of the first one. */
interface Repetition {
  readonly isIdempotent: boolean;
  /** The same for all attempts of one write; undefined for a read. */
  readonly idempotencyKey: string | undefined;
}

/** Control 46: a write is repeated only with an idempotency key. */
export function createSend({ config, platform, clock }: TransportDeps): Send {
  const { projectOwnerSession: owner = null } = config;
  const giveUp = (failures: readonly unknown[]) => networkError(failures, config, platform);
  // Known from the CORS allow list, which our server exposes. Another server would run a repeated write twice, and the
  // preflight of a page would fail.
  let hasIdempotencyKeys = false;

  async function attempt<T>(
    outgoing: Outgoing,
    read: Read<T>,
    { isIdempotent, idempotencyKey }: Repetition,
  ): Promise<Attempt<T>> {
    const { path, init, level, session } = outgoing;
    // Reading the cookies makes the page dynamic in Next.js, because the response depends on the user.
    if (!config.secretServerKey && !platform.page) await config.next?.cookies();
    const tokens = await liveTokens(session);
    const ownerTokens = await liveTokens(owner);
    const headers = headersFor(config, level, tokens, ownerTokens, init.headers);
    const sendsKey = idempotencyKey !== undefined && (hasIdempotencyKeys || !platform.page);
    if (sendsKey) headers.set(requestHeaders.idempotencyKey, idempotencyKey);
    const isRepeatable = () => isIdempotent || (sendsKey && hasIdempotencyKeys);
    try {
      const url = config.apiUrl + path.replace(/\/$/, '');
      const response = await platform.fetch(url, { ...fetchMode(), ...init, headers });
      clock.learn(response);
      hasIdempotencyKeys ||= allowsIdempotencyKeys(response);
      if (isSuccess(response)) return { done: await read(response) };
      const { failedRequest } = await import('./failed-response.ts');
      const sent = { config, platform, session, tokens, owner, ownerTokens, isRepeatable: isRepeatable() };
      return await failedRequest(response, clock.now(), sent);
    } catch (failure) {
      if (!isNetworkFailure(failure)) throw failure;
      if (!isRepeatable()) throw await giveUp([failure]);
      return { failure };
    }
  }

  return (outgoing, read) => {
    const repetition = repetitionOf(outgoing);
    const budgetMs = config.retryBudgetMs;
    return withRetries(() => attempt(outgoing, read, repetition), { platform, budgetMs, giveUp });
  };
}

function repetitionOf({ path, init }: Outgoing): Repetition {
  const method = (init.method ?? 'GET').toUpperCase();
  const isRead = readMethod.test(method) || readPath.test(path);
  return {
    isIdempotent: isRead || idempotentWrite.test(method),
    idempotencyKey: isRead ? undefined : (new Headers(init.headers).get(requestHeaders.idempotencyKey) ?? randomText()),
  };
}

function allowsIdempotencyKeys({ headers }: Response): boolean {
  return headers.get('access-control-allow-headers')?.includes(requestHeaders.idempotencyKey) === true;
}

async function liveTokens(session: Session | null): Promise<LiveTokens | null> {
  return session === null ? null : session.getLikelyValidTokens();
}
