import { KnownError, RequestError, type RequestFailure } from '@tessera/client';
import { isWordKey, type Say, type WordKey, type WordValues } from './words.ts';

/** Requests without a usable answer, by reason. */
const failureKeys: Record<RequestFailure, WordKey> = {
  offline: 'error.offline',
  unreachable: 'error.unreachable',
  'too-many-requests': 'error.tooManyRequests',
  'unexpected-answer': 'error.unknown',
};

/** Says what a failed request means to the person in front of the page: by stable code, else by kind of failure. */
export function errorWords(error: unknown, say: Say): string {
  if (KnownError.isKnownError(error)) return codeWords(error.errorCode, error.details, say);
  return say(error instanceof RequestError ? failureKeys[error.reason] : 'error.unknown');
}

/** Says what a code of the contract means; a code without a sentence is a general failure. */
export function codeWords(code: string, details: unknown, say: Say): string {
  const key = `error.${code}`;
  return isWordKey(key) ? say(key, valuesOf(details)) : say('error.unknown');
}

function valuesOf(details: unknown): WordValues {
  const entries = Object.entries(details ?? {}).filter(([, value]) => ['string', 'number'].includes(typeof value));
  return Object.fromEntries(entries);
}
