import { KnownError, RequestError, type RequestFailure } from '@tessera/client';
import { isWordKey, type Translate, type WordKey, type WordValues } from './words.ts';

/** Requests without a usable answer, by reason. */
const failureKeys: Record<RequestFailure, WordKey> = {
  offline: 'error.offline',
  unreachable: 'error.unreachable',
  'too-many-requests': 'error.tooManyRequests',
  'unexpected-answer': 'error.unknown',
};

/** Says what a failed request means to the person in front of the page: by stable code, else by kind of failure. */
export function errorWords(error: unknown, translate: Translate): string {
  if (KnownError.isKnownError(error)) return codeWords(error.errorCode, error.details, translate);
  return translate(error instanceof RequestError ? failureKeys[error.reason] : 'error.unknown');
}

/** Says what a code of the contract means; a code without a sentence is a general failure. */
export function codeWords(code: string, details: unknown, translate: Translate): string {
  const key = `error.${code}`;
  return isWordKey(key) ? translate(key, valuesOf(details)) : translate('error.unknown');
}

function valuesOf(details: unknown): WordValues {
  const entries = Object.entries(details ?? {}).filter(([, value]) => ['string', 'number'].includes(typeof value));
  return Object.fromEntries(entries);
}
