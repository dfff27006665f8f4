import type { KnownError } from '@tessera/protocol/errors';
import { responseHeaders } from '@tessera/protocol/headers';
import { defect } from '../errors/defect.ts';
import { loadErrors } from '../errors/known-errors.ts';
import { type Attempt, parseRetryAfter } from './retry.ts';

/** A chunk of its own: most pages never see an unexpected response. */
const loadFailures = () => import('./response-failure.ts');

/** The status that the server meant (docs/contract/envelope.md#status-override). */
export function statusOf(response: Response): number {
  return Number(response.headers.get(responseHeaders.actualStatus) ?? response.status);
}

/**
 * The JSON body of a response.
 *
 * @throws RequestError `unexpected-answer` for a body that is not JSON. It has no cause: the error of the parser quotes
 * the body, which may hold tokens.
 */
export async function jsonOf<T>(response: Response): Promise<T> {
  try {
    return await response.json();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { failureOf } = await loadFailures();
    throw failureOf(response, { status: statusOf(response), sentence: 'The body is not JSON.' });
  }
}

/** The known error that an answer carries, if it does. */
export async function knownErrorOf(response: Response): Promise<KnownError | undefined> {
  const code = response.headers.get(responseHeaders.knownError);
  if (code === null) return undefined;
  const { KnownError } = await loadErrors();
  const body = await jsonOf<{ code?: unknown; error?: unknown; details?: unknown } | null>(response);
  if (body?.code !== code) {
    throw defect(`The response has the code ${code} in its header and another one in its body.`);
  }
  return KnownError.fromJson({ code, message: body.error, details: body.details });
}

/** Whether a request may be sent again. */
export interface Repeatable {
  /** A second request has the same effect as one: a read, or a write that the server recognises by its key. */
  readonly isRepeatable: boolean;
}

/**
 * The outcome of a response without a known error.
 *
 * @throws RequestError for a response that neither succeeded nor may be repeated.
 */
export async function outcomeOf(
  response: Response,
  now: number,
  { isRepeatable }: Repeatable,
): Promise<Attempt<Response>> {
  const status = statusOf(response);
  if (status >= 200 && status < 300) return { done: response };
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), now);
  const { failureOf, tooManyRequests, withoutSecrets } = await loadFailures();
  if (status === 429) return { failure: tooManyRequests(retryAfterMs), retryAfterMs };
  const text = withoutSecrets(await response.text());
  const failure = failureOf(response, { status, sentence: text, retryAfterMs });
  if (status === 508 && text.includes('INFINITE_LOOP_DETECTED')) return { failure };
  // 409 with Retry-After: the first request with this idempotency key is still running.
  if (isRepeatable && (status === 503 || status === 409) && retryAfterMs !== undefined)
    return { failure, retryAfterMs };
  throw failure;
}
