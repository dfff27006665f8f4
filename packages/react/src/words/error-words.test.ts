import { KnownError, RequestError } from '@tessera/client';
import { expect, it } from 'vitest';
import { errorWords } from './error-words.ts';
import { languages } from './languages.ts';
import { createTranslate } from './words.ts';

const translate = createTranslate(languages.en.words);
const traceId = '0123456789abcdef';

it.each([
  ['a failed request', new RequestError('unexpected-answer', 'x', { status: 500, traceId })],
  ['a refused rate limit', new RequestError('too-many-requests', 'x', { status: 429, traceId })],
  ['a known error without words', KnownError.fromJson({ code: 'BRANCH_DOES_NOT_EXIST', message: 'x', traceId })],
])('the text of %s ends with the trace id', (_, error) => {
  expect(errorWords(error, translate)).toMatch(/Trace id: 0123456789abcdef$/);
});

it.each([
  [881_000, 15],
  [60_000, 1],
  [0, 1],
  [undefined, 1],
])('the text of a refused rate limit says the minutes to wait, rounded up: %s ms', (retryAfterMs, minutes) => {
  const error = new RequestError('too-many-requests', 'x', { status: 429, retryAfterMs });
  expect(errorWords(error, translate)).toBe(`Too many attempts. Try again in ${minutes} min.`);
});

it('a text that says what to do has no trace id', () => {
  const error = KnownError.fromJson({ code: 'EMAIL_PASSWORD_MISMATCH', message: 'x', traceId });
  expect(errorWords(error, translate)).not.toContain(traceId);
});
