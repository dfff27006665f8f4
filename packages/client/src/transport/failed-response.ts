/** What the transport does after a response that is not a success. A lazy chunk: most requests succeed. */

import type { KnownError } from '@tessera/protocol/errors';
import { responseHeaders } from '@tessera/protocol/headers';
import type { Config } from '../app/config/config.ts';
import { defect } from '../errors/defect.ts';
import { loadErrors } from '../errors/known-errors.ts';
import { withoutSecrets } from '../errors/redact.ts';
import type { Platform } from '../platform/platform.ts';
import type { LiveTokens, Session } from '../session/session.ts';
import { isWebPage, jsonOf, statusOf } from './answer.ts';
import { failureOf, tooManyRequests, traceIdOf } from './response-failure.ts';
import type { Attempt, FailedAttempt } from './retry.ts';
import { setupHint } from './setup-hint.ts';

/** Whether a request may be sent again. */
export interface Repeatable {
  /** A second request has the same effect as one: a read, or a write that the server recognises by its key. */
  readonly isRepeatable: boolean;
}

/** The sessions of a request, with the tokens that it sent, and the app that sent it. */
interface Used {
  readonly config: Pick<Config, 'projectId' | 'apiUrl'>;
  readonly platform: Pick<Platform, 'warn' | 'page'>;
  readonly session: Session | null;
  readonly tokens: LiveTokens | null;
  readonly owner: Session | null;
  readonly ownerTokens: LiveTokens | null;
}

/**
 * The outcome of a failed API request. A rejected access token is replaced for the next attempt.
 *
 * @throws the known error, or RequestError for a response that may not be repeated.
 */
export async function failedRequest(
  response: Response,
  now: number,
  { config, platform, session, tokens, owner, ownerTokens, isRepeatable }: Used & Repeatable,
): Promise<FailedAttempt> {
  const known = await knownErrorOf(response);
  if (!known) {
    // A page with a 5xx status can be the error page of a proxy. Another page means that `baseUrl` is wrong.
    if (isWebPage(response) && statusOf(response) < 500) warnOfSetup('WEB_PAGE', config, platform);
    return outcomeOf(response, now, { isRepeatable });
  }
  warnOfSetup(known.errorCode, config, platform);
  const { isKnown } = await loadErrors();
  if (isKnown(known, 'INVALID_ACCESS_TOKEN')) return replaceToken(known, session, tokens);
  const isOwnersFault = isKnown(known, 'INVALID_ADMIN_ACCESS_TOKEN') || isKnown(known, 'API_KEY_NOT_FOUND');
  if (owner !== null && isOwnersFault) return replaceToken(known, owner, ownerTokens);
  throw known;
}

function warnOfSetup(code: string, { projectId, apiUrl }: Used['config'], platform: Used['platform']) {
  const { page, warn } = platform;
  const hint = setupHint(code, { projectId, apiUrl, origin: page && new URL(page.href()).origin });
  if (hint !== undefined) warn(`Tessera: ${hint}`);
}

/**
 * The outcome of a failed refresh: null when the server says that the session has ended.
 *
 * @throws the known error, or RequestError for a response that may not be repeated.
 */
export async function failedRefresh(response: Response, now: number): Promise<Attempt<null>> {
  const known = await knownErrorOf(response);
  if (known) {
    const { isKnown } = await loadErrors();
    if (isKnown(known, 'REFRESH_TOKEN_ERROR')) return { done: null };
    throw known;
  }
  // A refresh may be repeated: a token that was replaced moments ago gets the same successor.
  return outcomeOf(response, now, { isRepeatable: true });
}

/** The known error of a response; undefined when it has none. */
export async function knownErrorOf(response: Response): Promise<KnownError | undefined> {
  const code = response.headers.get(responseHeaders.knownError);
  if (code === null) return undefined;
  const { KnownError } = await loadErrors();
  const body = await jsonOf<{ code?: unknown; error?: unknown; details?: unknown } | null>(response);
  if (body?.code !== code) {
    throw defect(`The response has the code ${code} in its header and another one in its body.`);
  }
  return KnownError.fromJson({ code, message: body.error, details: body.details, traceId: traceIdOf(response) });
}

/**
 * The outcome of a failed response without a known error.
 *
 * @throws RequestError for a response that may not be repeated.
 */
export async function outcomeOf(response: Response, now: number, { isRepeatable }: Repeatable): Promise<FailedAttempt> {
  const status = statusOf(response);
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), now);
  if (status === 429) return { failure: tooManyRequests(retryAfterMs, traceIdOf(response)), retryAfterMs };
  const text = withoutSecrets(await response.text());
  const sentence = isWebPage(response) ? undefined : text;
  const failure = failureOf(response, { status, sentence, retryAfterMs });
  if (status === 508 && text.includes('INFINITE_LOOP_DETECTED')) return { failure };
  // 409 with Retry-After: the first request with this idempotency key is still running.
  if (isRepeatable && (status === 503 || status === 409) && retryAfterMs !== undefined)
    return { failure, retryAfterMs };
  throw failure;
}

/** Reads a `Retry-After` header: seconds, or a date. Control 45. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const delayMs = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}

function replaceToken(failure: KnownError, session: Session | null, tokens: LiveTokens | null): FailedAttempt {
  if (tokens === null) throw defect('The server rejected an access token, but none was sent.', failure);
  session?.markAccessTokenExpired(tokens.accessToken);
  return { failure };
}
