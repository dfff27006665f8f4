import { expect, test } from 'vitest';
import { createRequestStore } from './request-store.ts';

const scope = { projectId: 'p1', cookieDomain: undefined };
const auth = JSON.stringify({ accessToken: 'a', refreshToken: 'r' });
const cookie = 'stack-refresh-p1=cr; stack-access=%5B%22cr%22%2C%22ca%22%5D';

test.each([
  ['a Fetch request', new Request('https://shop.example', { headers: { 'x-stack-auth': auth } }), 'a', 'r'],
  ['a Fetch request with cookies', { headers: new Headers({ cookie }) }, 'ca', 'cr'],
  ['an Express request', { headers: { 'x-stack-auth': auth, cookie } }, 'a', 'r'],
  ['an Express request with cookies', { headers: { cookie } }, 'ca', 'cr'],
  ['cookies in several headers', { headers: { cookie: ['x=1', cookie] } }, 'ca', 'cr'],
  ['the headers of Next.js', { headers: { get: (name: string) => (name === 'cookie' ? cookie : null) } }, 'ca', 'cr'],
  ['a request without tokens', { headers: {} }, null, null],
  [
    'a cookie whose access token is no text',
    { headers: { cookie: 'stack-refresh-p1=cr; stack-access=["cr",5]' } },
    null,
    'cr',
  ],
  [
    'a cookie with the access token undefined',
    { headers: { cookie: 'stack-refresh-p1=cr; stack-access=["cr","undefined"]' } },
    null,
    'cr',
  ],
  ['a cookie with the refresh token undefined', { headers: { cookie: 'stack-refresh-p1=undefined' } }, null, null],
  ['a header without a session', { headers: { 'x-stack-auth': '{"accessToken":"a","refreshToken":null}' } }, 'a', null],
])('the tokens of %s', (_, request, accessToken, refreshToken) => {
  expect(createRequestStore(request, scope).get()).toEqual({ accessToken, refreshToken });
});

test.each([
  'no json',
  '[]',
  'null',
  '{"accessToken":1,"refreshToken":"r"}',
  '{"accessToken":"a"}',
  '{"refreshToken":"r"}',
  '{"accessToken":"","refreshToken":""}',
  '{"accessToken":null,"refreshToken":"undefined"}',
])('a request with the malformed x-stack-auth header %j is refused without quoting it', text => {
  const read = () => createRequestStore({ headers: { 'x-stack-auth': text } }, scope);
  expect(read).toThrow('The header x-stack-auth must be a JSON object with accessToken and refreshToken.');
});
