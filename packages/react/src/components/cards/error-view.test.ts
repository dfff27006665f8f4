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
    'errorCode=toString&message=x',
    'errorCode=SCHEMA_ERROR&message=x&details={',
  ])('makes nothing of %j', query => expect(view(query)).toBeUndefined());

  it.each([
    ['OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER', /already in use/],
    ['USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION', /different account/],
    ['OAUTH_PROVIDER_ACCESS_DENIED', /cancelled/],
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
});

it.each([
  ['trace_id=0123456789abcdef', '0123456789abcdef'],
  ['trace_id=', undefined],
  ['trace_id=Call+0900+now', undefined],
])('reads the trace id of %j as %j', (query, expected) => {
  expect(traceIdIn(new URLSearchParams(query))).toBe(expected);
});
