import { expect, test } from 'vitest';
import { addressOf, createCall } from './call.ts';
import type { Outgoing } from './send.ts';

test.each([
  ['GET /users/me', undefined, undefined, '/users/me'],
  ['GET /users/{user_id}', { user_id: 'a/b ?' }, undefined, '/users/a%2Fb%20%3F'],
  ['GET /{a}/{b}', { a: 1, b: '{a}' }, undefined, '/1/%7Ba%7D'],
  ['GET /users/{user_id}', { user_id: '' }, undefined, '/users/%20'],
  ['GET /users/{user_id}', { user_id: '.' }, undefined, '/users/%20.'],
  ['GET /users/{user_id}', { user_id: '..' }, undefined, '/users/%20..'],
  ['GET /users/{user_id}', { user_id: '...' }, undefined, '/users/...'],
  [
    'GET /users',
    undefined,
    { limit: 2, query: 'a&b', desc: false, cursor: undefined },
    '/users?limit=2&query=a%26b&desc=false',
  ],
])('%s with %j and %j is asked at its address', (route, params, query, path) => {
  expect(addressOf(route, params, query)).toEqual({ method: 'GET', path });
});

function record(answer: Response) {
  const sent: Outgoing[] = [];
  const call = createCall(async (outgoing, read) => {
    sent.push(outgoing);
    return read(answer);
  }, 'client');
  return { call, sent };
}

test('a request body is sent as JSON', async () => {
  const { call, sent } = record(Response.json({ success: true }));
  await call('PATCH /users/me', { body: { display_name: 'Ada' }, session: null });
  expect(sent).toEqual([
    {
      path: '/users/me',
      init: { method: 'PATCH', body: '{"display_name":"Ada"}', headers: { 'content-type': 'application/json' } },
      level: 'client',
      session: null,
    },
  ]);
});

test('a request without a body has no content type', async () => {
  const { call, sent } = record(Response.json({ success: true }));
  expect(await call('DELETE /users/me', { session: null })).toEqual({ success: true });
  expect(sent[0]?.init).toEqual({ method: 'DELETE' });
});

test('a text response is returned as text', async () => {
  const { call } = record(new Response('hello', { headers: { 'content-type': 'text/plain' } }));
  expect(await call('GET /', { session: null })).toBe('hello');
});
