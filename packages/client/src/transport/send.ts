import type { AccessLevel } from '@tessera/protocol';
import type { KnownError } from '@tessera/protocol/errors';
import { requestHeaders } from '@tessera/protocol/headers';
import type { Config } from '../app/config.ts';
import { defect } from '../errors/defect.ts';
import { loadErrors } from '../errors/known-errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { LiveTokens, Session } from '../session/session.ts';
import type { Clock } from '../util/clock.ts';
import { randomText } from '../util/random-text.ts';
import { knownErrorOf, outcomeOf } from './answer.ts';
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
 * Sends a request, repeating it where that helps.
 *
 * @returns a successful answer.
 * @throws KnownError, or RequestError when there was no usable answer.
 */
export type Send = (outgoing: Outgoing) => Promise<Response>;

interface TransportDeps {
  readonly config: Config;
  readonly platform: Platform;
  readonly clock: Clock;
}

const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);
const readMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
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

  async function attempt(outgoing: Outgoing, { isIdempotent, idempotencyKey }: Repetition): Promise<Attempt<Response>> {
    const { path, init, level, session } = outgoing;
    // Next.js takes a page whose cookies were looked at for one that differs from person to person.
    if (!config.secretServerKey && !platform.page) await config.next?.cookies();
    const tokens = await liveTokens(session);
    const ownerTokens = await liveTokens(owner);
    const headers = headersFor(config, level, tokens, ownerTokens, init.headers);
    const sendsKey = idempotencyKey !== undefined && (hasIdempotencyKeys || !platform.page);
    if (sendsKey) headers.set(requestHeaders.idempotencyKey, idempotencyKey);
    const isRepeatable = () => isIdempotent || (sendsKey && hasIdempotencyKeys);
    let response: Response;
    try {
      response = await platform.fetch(config.apiUrl + path.replace(/\/$/, ''), { ...fetchMode(), ...init, headers });
    } catch (failure) {
      if (!isNetworkFailure(failure)) throw failure;
      if (!isRepeatable()) throw await giveUp([failure]);
      return { failure };
    }
    clock.learn(response);
    hasIdempotencyKeys ||= allowsIdempotencyKeys(response);
    const known = await knownErrorOf(response);
    if (known) return afterKnownError(known, { session, tokens, owner, ownerTokens });
    return outcomeOf(response, clock.now(), { isRepeatable: isRepeatable() });
  }

  return outgoing => {
    const repetition = repetitionOf(outgoing);
    const budgetMs = config.retryBudgetMs;
    return withRetries(() => attempt(outgoing, repetition), { platform, budgetMs, giveUp });
  };
}

function repetitionOf({ path, init }: Outgoing): Repetition {
  const method = (init.method ?? 'GET').toUpperCase();
  const isRead = readMethods.has(method) || readPath.test(path);
  return {
    isIdempotent: isRead || idempotentMethods.has(method),
    idempotencyKey: isRead ? undefined : (new Headers(init.headers).get(requestHeaders.idempotencyKey) ?? randomText()),
  };
}

function allowsIdempotencyKeys({ headers }: Response): boolean {
  return headers.get('access-control-allow-headers')?.includes(requestHeaders.idempotencyKey) === true;
}

interface Used {
  readonly session: Session | null;
  readonly tokens: LiveTokens | null;
  readonly owner: Session | null;
  readonly ownerTokens: LiveTokens | null;
}

/** A rejected access token is worth another attempt with a new one; everything else is thrown. */
async function afterKnownError(
  known: KnownError,
  { session, tokens, owner, ownerTokens }: Used,
): Promise<Attempt<never>> {
  const { isKnown } = await loadErrors();
  if (isKnown(known, 'INVALID_ACCESS_TOKEN')) return replaceToken(known, session, tokens);
  const isOwnersFault = isKnown(known, 'INVALID_ADMIN_ACCESS_TOKEN') || isKnown(known, 'API_KEY_NOT_FOUND');
  if (owner !== null && isOwnersFault) return replaceToken(known, owner, ownerTokens);
  throw known;
}

function replaceToken(failure: KnownError, session: Session | null, tokens: LiveTokens | null): Attempt<never> {
  if (tokens === null) throw defect('The server rejected an access token, but none was sent.', failure);
  session?.markAccessTokenExpired(tokens.accessToken);
  return { failure };
}

async function liveTokens(session: Session | null): Promise<LiveTokens | null> {
  return session === null ? null : session.getLikelyValidTokens();
}
