import { responseHeaders } from '@tessera/protocol/headers';
import { withoutQuery } from '../errors/redact.ts';
import { RequestError } from './request-error.ts';

interface Facts {
  readonly status: number;
  /** The server's sentence for people; undefined for a web page and for a body that is not JSON. It contains no tokens. */
  readonly sentence?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** The error for a response that is neither a success nor a known error. */
export function failureOf(response: Response, { status, sentence, retryAfterMs }: Facts): RequestError {
  const isAway = status === 503 && retryAfterMs !== undefined;
  return new RequestError(
    isAway ? 'unreachable' : 'unexpected-answer',
    `${withoutQuery(response.url)} answered ${status}: ${sentence ?? 'The body is not JSON.'}`,
    { status, retryAfterMs, sentence, traceId: traceIdOf(response) },
  );
}

/** The id of the request, by which an admin finds it in the audit log. */
export function traceIdOf({ headers }: Pick<Response, 'headers'>): string | undefined {
  return headers.get(responseHeaders.requestId) ?? undefined;
}

/** The error for a 429. */
export function tooManyRequests(retryAfterMs: number | undefined, traceId?: string): RequestError {
  const when = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} seconds`;
  return new RequestError('too-many-requests', `Too many requests. Please try again ${when}.`, {
    status: 429,
    retryAfterMs,
    traceId,
  });
}
