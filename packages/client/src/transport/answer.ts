import type { KnownError } from '@tessera/protocol/errors';
import { responseHeaders } from '@tessera/protocol/headers';
import { defect } from '../defect.ts';
import { loadErrors } from '../known-errors.ts';
import { withoutQuery, withoutSecrets } from '../quote.ts';
import { RequestError } from './request-error.ts';
import { type Attempt, parseRetryAfter, tooManyRequests } from './retry.ts';

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
    const status = statusOf(response);
    throw new RequestError('unexpected-answer', `${withoutQuery(response.url)} sent a body that is not JSON.`, {
      status,
    });
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

/**
 * What an answer without a known error comes to.
 *
 * @throws RequestError `unexpected-answer` for one that neither succeeded nor asks to try again.
 */
export async function judge(response: Response, now: number): Promise<Attempt<Response>> {
  const status = statusOf(response);
  if (status >= 200 && status < 300) return { done: response };
  if (status === 429) {
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), now);
    return { failure: tooManyRequests(retryAfterMs), retryAfterMs };
  }
  const text = await response.text();
  const sentence = withoutSecrets(text);
  const message = `${withoutQuery(response.url)} answered ${status}: ${sentence}`;
  const failure = new RequestError('unexpected-answer', message, { status });
  if (status === 508 && text.includes('INFINITE_LOOP_DETECTED')) return { failure };
  throw failure;
}
