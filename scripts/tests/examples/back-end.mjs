import assert from 'node:assert/strict';
import { signUp } from './visitor.mjs';

/** Checks of an example server with the routes `GET /api/me` and `POST /api/visits`. */
export async function checkBackEnd({ check, tessera, url }) {
  const person = await signUp(tessera);
  const headers = { 'x-stack-auth': JSON.stringify(person.tokens) };
  const ask = async (path, options) => {
    const response = await fetch(url + path, options);
    return [response.status, await response.json()];
  };

  await check('answers 401 to a signed-out caller', async () => {
    assert.deepEqual(await ask('/api/me'), [401, { error: 'Please sign in.' }]);
    assert.deepEqual(await ask('/api/visits', { method: 'POST' }), [401, { error: 'Please sign in.' }]);
  });
  await check('knows the caller by the headers of the SDK and by a bearer token', async () => {
    assert.deepEqual(await ask('/api/me', { headers }), [200, { id: person.id }]);
    const bearer = { authorization: `Bearer ${person.tokens.accessToken}` };
    assert.deepEqual(await ask('/api/me', { headers: bearer }), [200, { id: person.id }]);
  });
  await check('counts visits in server metadata', async () => {
    const visit = () => ask('/api/visits', { method: 'POST', headers });
    assert.deepEqual(
      [await visit(), await visit()],
      [
        [200, { visits: 1 }],
        [200, { visits: 2 }],
      ],
    );
  });
}
