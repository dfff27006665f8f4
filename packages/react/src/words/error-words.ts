import { RequestError, type RequestFailure } from '@tessera/client';
import { isKnownError } from '@tessera/client/internals';
import { isWordKey, type Translate, type WordKey, type WordValues } from './words.ts';

/** Requests without a usable response, by reason. */
const failureKeys: Record<RequestFailure, WordKey> = {
  offline: 'error.offline',
  unreachable: 'error.unreachable',
  'too-many-requests': 'error.tooManyRequests',
  'unexpected-answer': 'error.unknown',
};

/**
 * The text for a failed request: by stable code, else by kind of failure. Where the text does not say what to do, it ends
 * with the trace id, which an admin finds in the audit log.
 */
export function errorWords(error: unknown, translate: Translate): string {
  if (isKnownError(error)) {
    const text = codeWords(error.errorCode, error.details, translate);
    return text === translate('error.unknown') ? withTraceId(text, error, translate) : text;
  }
  if (error instanceof RequestError) return withTraceId(failureWords(error, translate), error, translate);
  // An error of the OAuth callback wraps the reason.
  if (error instanceof Error && error.cause !== undefined) return errorWords(error.cause, translate);
  // A part of the page that is loaded on its first use fails with an error of the bundler.
  return translate(isOffline() ? 'error.offline' : 'error.unknown');
}

const minuteMs = 60_000;

/** The minutes to wait are rounded up, so that the next try is not refused again. */
function failureWords({ reason, retryAfterMs }: RequestError, translate: Translate): string {
  return translate(failureKeys[reason], { minutes: Math.ceil((retryAfterMs || minuteMs) / minuteMs) });
}

function isOffline(): boolean {
  return typeof navigator !== 'undefined' && navigator.onLine === false;
}

function withTraceId(text: string, { traceId }: { readonly traceId?: string | undefined }, translate: Translate) {
  return traceId === undefined ? text : `${text} ${translate('error.traceId')}: ${traceId}`;
}

/** The text for a code of the contract. A code without a text is a general failure. */
export function codeWords(code: string, details: unknown, translate: Translate): string {
  const key = `error.${code}`;
  return isWordKey(key) ? translate(key, valuesOf(details)) : translate('error.unknown');
}

/** Only numbers: the details can come from a link, and our page must not show text of an attacker. */
function valuesOf(details: unknown): WordValues {
  return Object.fromEntries(Object.entries(details ?? {}).filter(([, value]) => typeof value === 'number'));
}
