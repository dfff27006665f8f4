import { KnownError, RequestError } from '@tessera/client';
import { afterEach, expect, test, vi } from 'vitest';
import { isRefused, isServerAway, problemWords, reasonWords, traceIdOf } from './problem-words.ts';

afterEach(() => void vi.useRealTimers());

test('a refused request is described by its values, without the endpoint', () => {
  const message =
    'The request does not fit POST /api/v1/users:\n  - body.primary_email must be a valid email\n  - body.count is too long';
  expect(problemWords(KnownError.fromJson({ code: 'SCHEMA_ERROR', message }))).toBe(
    'Not accepted: primary_email must be a valid email, count is too long.',
  );
});

test('another known error keeps its sentence', () => {
  const error = KnownError.fromJson({ code: 'USER_NOT_FOUND', message: 'User not found.' });
  expect(problemWords(error)).toBe(error.message);
});

test('a request without a token says that the session has ended', () => {
  const message = 'This request needs the super secret admin key or an admin access token.';
  const error = KnownError.fromJson({ code: 'ADMIN_AUTHENTICATION_REQUIRED', message });
  expect(problemWords(error)).toBe('Your session ended before this was done. Sign in, then try again.');
});

test('a request of a former member says that the project is managed by others, without tokens', () => {
  const message = 'The user of this admin access token does not own the project.';
  const error = KnownError.fromJson({ code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN', message });
  expect(problemWords(error)).toBe(
    'You do not manage this project any more, or it was deleted. Ask an owner of the project for access.',
  );
});

test('a response without a trace id is of a proxy: the server could not be reached', () => {
  const error = new RequestError('unexpected-answer', 'x', { status: 502, sentence: 'The body is not JSON.' });
  expect(problemWords(error)).toBe(
    'The server could not be reached. A proxy answered with status 502. Try again in a moment.',
  );
  expect(isServerAway(error)).toBe(true);
});

test('a refusal of a proxy is not repeated', () => {
  expect(isServerAway(new RequestError('unexpected-answer', 'x', { status: 403 }))).toBe(false);
});

test('a fault of the server keeps its sentence and adds the trace id', () => {
  const error = new RequestError('unexpected-answer', 'x', { status: 500, sentence: 'Broken.', traceId: 'trace1' });
  expect(problemWords(error)).toBe('Broken. Trace id trace1');
  expect(traceIdOf(error)).toBe(undefined);
  expect(isServerAway(error)).toBe(false);
});

test.each(['', 'Something went wrong on our side. Request id: trace1'])(
  'a fault whose sentence is "%s" says that the log has the reason, and the trace id once',
  sentence => {
    const error = new RequestError('unexpected-answer', 'x', { status: 500, sentence, traceId: 'trace1' });
    expect(problemWords(error)).toBe('The server answered with an error. Its log says why. Trace id trace1');
  },
);

test('a refusal has no trace id in its sentence, which pages show apart', () => {
  const error = new RequestError('unexpected-answer', 'x', { status: 403, sentence: 'Too late.', traceId: 'trace1' });
  expect(problemWords(error)).toBe('Too late.');
  expect(traceIdOf(error)).toBe('trace1');
});

test.each([
  ['a known error', KnownError.fromJson({ code: 'USER_NOT_FOUND', message: 'User not found.' }), true],
  ['a 403', new RequestError('unexpected-answer', 'x', { status: 403, traceId: 'trace1' }), true],
  ['a fault of the server', new RequestError('unexpected-answer', 'x', { status: 500, traceId: 'trace1' }), false],
  ['the page of a proxy', new RequestError('unexpected-answer', 'x', { status: 200 }), false],
  ['a lost answer', new RequestError('unreachable', 'x'), false],
  ['an error of the page', new TypeError('x'), false],
])('only a refusal proves that nothing was changed: %s', (_, error, isRefusal) => {
  expect(isRefused(error)).toBe(isRefusal);
});

const tooMany = (retryAfterMs?: number) => new RequestError('too-many-requests', 'x', { status: 429, retryAfterMs });

test.each([
  [10_001, 'A limit was reached. You can try again at 2:05:31 PM.'],
  [42 * 60_000, 'A limit was reached. You can try again at 2:48 PM.'],
  [23 * 3_600_000, 'A limit was reached. You can try again at Dec 2, 2026, 1:06 PM.'],
  [undefined, 'There were too many requests. Wait a moment, then try again.'],
])('a 429 whose Retry-After is %s ms says when to try again', (retryAfterMs, said) => {
  vi.useFakeTimers({ now: new Date(2026, 11, 1, 14, 5, 20) });
  expect(problemWords(tooMany(retryAfterMs))).toBe(said);
});

test('the time of a 429 stays the same while it is shown, until it has passed', () => {
  vi.useFakeTimers({ now: new Date(2026, 11, 1, 14, 5, 20) });
  const error = tooMany(5 * 60_000);
  const first = problemWords(error);
  vi.advanceTimersByTime(4 * 60_000);
  expect(problemWords(error)).toBe(first);
  vi.advanceTimersByTime(60_000);
  expect(problemWords(error)).toBe('A limit was reached. You can try again now.');
  expect(reasonWords(error)).toBe(reasonWords(tooMany(9)));
});
