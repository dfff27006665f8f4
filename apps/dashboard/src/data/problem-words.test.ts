import { KnownError, RequestError } from '@tessera/client';
import { expect, test } from 'vitest';
import { problemWords } from './problem-words.ts';

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

test.each([502, 503, 504])('the page of a proxy with the status %i says that the server does not answer', status => {
  const error = new RequestError('unexpected-answer', `/users answered ${status}: The body is not JSON.`, { status });
  expect(problemWords(error)).toBe('The server does not answer. Check that it is running, then try again.');
});
