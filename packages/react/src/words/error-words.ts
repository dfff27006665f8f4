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

/** The text for a failed request: by stable code, else by kind of failure. */
export function errorWords(error: unknown, translate: Translate): string {
  if (isKnownError(error)) return codeWords(error.errorCode, error.details, translate);
  if (error instanceof RequestError) return translate(failureKeys[error.reason]);
  // An error of the OAuth callback wraps the reason.
  if (error instanceof Error && error.cause !== undefined) return errorWords(error.cause, translate);
  return translate('error.unknown');
}

/** The text for a code of the contract. A code without a text is a general failure. */
export function codeWords(code: string, details: unknown, translate: Translate): string {
  const key = `error.${code}`;
  return isWordKey(key) ? translate(key, valuesOf(details)) : translate('error.unknown');
}

function valuesOf(details: unknown): WordValues {
  const entries = Object.entries(details ?? {}).filter(([, value]) => ['string', 'number'].includes(typeof value));
  return Object.fromEntries(entries);
}
