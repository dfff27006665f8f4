import { KnownError, RequestError } from '@tessera/client';
import { words } from '../words.ts';
import { isMissingCode } from './reload-page.ts';

/** The displayed sentence of an error. */
export function problemWords(error: unknown): string {
  if (KnownError.isKnownError(error)) {
    // The dashboard has no keys: without a session it sends no token.
    if (error.errorCode === 'ADMIN_AUTHENTICATION_REQUIRED') return words.sessionEndedBefore;
    return refusedValues(error.message) ?? error.message;
  }
  if (isMissingCode(error)) return words.problem.missingCode;
  if (!(error instanceof RequestError)) return words.problem.unexpected;
  if (isOfProxy(error)) return words.problem.proxy(error.status);
  if (error.sentence !== undefined) return error.sentence;
  return words.problem[error.reason];
}

/** What the server refused, from its message for developers: it names the endpoint, then each value on a line. */
function refusedValues(message: string): string | undefined {
  const values = [...message.matchAll(/^ {2}- (?:body\.)?(.+)$/gm)].map(([, value]) => value);
  return values.length === 0 ? undefined : words.problem.refused(values.join(', '));
}

/** The id with which the log of the server finds the failed request. */
export function traceIdOf(error: unknown): string | undefined {
  return error instanceof RequestError || KnownError.isKnownError(error) ? error.traceId : undefined;
}

/** Whether the server does not answer at the moment: the same read may succeed later, and a change may have been made. */
export function isServerAway(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  return error.reason === 'unreachable' || (isOfProxy(error) && (error.status ?? 0) >= 500);
}

/** Whether a proxy answered instead of the server, whose responses all have a trace id. */
function isOfProxy({ reason, traceId }: RequestError): boolean {
  return reason === 'unexpected-answer' && traceId === undefined;
}
