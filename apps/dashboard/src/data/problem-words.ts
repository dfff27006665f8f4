import { KnownError, RequestError } from '@tessera/client';
import { words } from '../words.ts';
import { isMissingCode } from './browser/reload-page.ts';

/** The displayed sentence of an error. That of a server fault ends with the trace id, which the operator needs. */
export function problemWords(error: unknown): string {
  const tryAgain = tryAgainWords(error);
  if (tryAgain !== undefined) return `${words.problem.tooMany} ${tryAgain}`;
  const faultId = faultIdOf(error);
  return faultId === undefined ? reasonWords(error) : `${reasonWords(error)} ${words.problem.traceId(faultId)}`;
}

const minuteMs = 60_000;

/** When an error was first shown: its Retry-After counts from then. */
const shownAt = new WeakMap<RequestError, number>();

/** When a request that a limit refused can be tried again; undefined for another error, and where the server does not tell. */
function tryAgainWords(error: unknown): string | undefined {
  if (!(error instanceof RequestError) || error.retryAfterMs === undefined) return undefined;
  if (error.reason !== 'too-many-requests') return undefined;
  const now = Date.now();
  const since = shownAt.get(error) ?? now;
  shownAt.set(error, since);
  const atMillis = since + error.retryAfterMs;
  if (atMillis <= now) return words.problem.tryNow;
  return words.problem.tryAt(clockTime(atMillis, error.retryAfterMs <= minuteMs ? 'second' : 'minute'));
}

/** The time of the next full second or minute, which is never too early, with its date on another day. */
function clockTime(millis: number, unit: 'second' | 'minute'): string {
  const stepMs = unit === 'second' ? 1_000 : minuteMs;
  const at = new Date(Math.ceil(millis / stepMs) * stepMs);
  const isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString('en', {
    timeStyle: unit === 'second' ? 'medium' : 'short',
    ...(!isToday && { dateStyle: 'medium' }),
  });
}

/** The same sentence for all errors that have one reason. */
export function reasonWords(error: unknown): string {
  if (KnownError.isKnownError(error)) {
    // The dashboard has no keys: without a session it sends no token.
    if (error.errorCode === 'ADMIN_AUTHENTICATION_REQUIRED') return words.sessionEndedBefore;
    if (error.errorCode === 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN') return words.problem.noAccess;
    return refusedValues(error.message) ?? error.message;
  }
  if (isMissingCode(error)) return words.problem.missingCode;
  if (!(error instanceof RequestError)) return words.problem.unexpected;
  if (isOfProxy(error)) return words.problem.proxy(error.status);
  // Outside of development the sentence of a fault is the trace id and nothing else that helps.
  if (!error.sentence || (error.traceId && error.sentence.includes(error.traceId))) return words.problem[error.reason];
  return error.sentence;
}

/** What the server refused, from its message for developers: it names the endpoint, then each value on a line. */
function refusedValues(message: string): string | undefined {
  const values = [...message.matchAll(/^ {2}- (?:body\.)?(.+)$/gm)].map(([, value]) => value);
  return values.length === 0 ? undefined : words.problem.refused(values.join(', '));
}

/** The id with which the log of the server finds the failed request; undefined if `problemWords` says it. */
export function traceIdOf(error: unknown): string | undefined {
  const hasId = error instanceof RequestError || KnownError.isKnownError(error);
  return hasId && faultIdOf(error) === undefined ? error.traceId : undefined;
}

/** The trace id of a request that the server could not process. */
function faultIdOf(error: unknown): string | undefined {
  if (!(error instanceof RequestError) || error.reason !== 'unexpected-answer') return undefined;
  return (error.status ?? 0) >= 500 ? error.traceId : undefined;
}

/** Whether the server does not answer at the moment: the same read may succeed later. */
export function isServerAway(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  return error.reason === 'unreachable' || (isOfProxy(error) && (error.status ?? 0) >= 500);
}

/** Whether the server or a proxy refused a change. After any other failure it may have been made. */
export function isRefused(error: unknown): boolean {
  if (KnownError.isKnownError(error)) return true;
  const status = error instanceof RequestError ? error.status : undefined;
  return status !== undefined && status >= 400 && status < 500;
}

/** Whether a proxy answered instead of the server, whose responses all have a trace id. */
function isOfProxy({ reason, traceId }: RequestError): boolean {
  return reason === 'unexpected-answer' && traceId === undefined;
}
