import { describe, expect, it } from 'vitest';
import { languages } from '../../words/languages.ts';
import { createTranslate } from '../../words/words.ts';
import { errorView, traceIdIn } from './error-view.ts';

const translate = createTranslate(languages.en.words);
const view = (query: string) => errorView(new URLSearchParams(query), translate);

describe('error page', () => {
  it.each([
    '',
    'errorCode=SCHEMA_ERROR',
    'message=hello',
    'errorCode=NO_SUCH_CODE&message=x',
    'errorCode=UNSUPPORTED_ERROR&message=x',
    'errorCode=toString&message=x',
    'errorCode=SCHEMA_ERROR&message=x&details={',
  ])('shows no card of its own for the query %j', query => expect(view(query)).toBeUndefined());

  it.each([
    ['OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER', /already in use/],
    ['USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION', /different account/],
    ['OAUTH_PROVIDER_ACCESS_DENIED', /canceled/],
    ['REDIRECT_LOOP', /sent back to sign-in/],
    ['INVALID_AUTHORIZATION_CODE', /went wrong/],
  ])('has a title for %s', (code, title) => {
    expect(view(`errorCode=${code}&message=x&details={}`)?.title).toMatch(title);
  });

  it('shows the meaning of the code, never the message of the link', () => {
    const shown = view('errorCode=SIGN_UP_NOT_ENABLED&message=Call+0900+now');
    expect(shown).toEqual({
      title: 'Something went wrong',
      text: 'Sign-ups are closed.',
      code: 'SIGN_UP_NOT_ENABLED',
    });
  });

  it.each([
    ['8', 'Use at least 8 characters.'],
    ['"8. Your account is locked, call +1 900"', 'Use at least {min_length} characters.'],
  ])('fills a text with the details of the link only when they are numbers: %s', (minLength, text) => {
    const details = encodeURIComponent(`{"min_length":${minLength}}`);
    expect(view(`errorCode=PASSWORD_TOO_SHORT&message=x&details=${details}`)?.text).toBe(text);
  });
});

it.each([
  ['trace_id=0123456789abcdef', '0123456789abcdef'],
  ['trace_id=', undefined],
  ['trace_id=Call+0900+now', undefined],
])('reads the trace id of %j as %j', (query, expected) => {
  expect(traceIdIn(new URLSearchParams(query))).toBe(expected);
});
