import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkColors } from './page.mjs';
import { assertNothingHolds, cookiesOf, get, signUp } from './visitor.mjs';

/** Checks of the example app with Next.js. */
export async function checkNext({ check, tessera, folder, url }) {
  const person = await signUp(tessera);
  const cookie = cookiesOf(tessera, person.tokens);
  const seen = [];
  const visit = async (path, options) => {
    const answer = await get(url + path, options);
    seen.push(answer.text);
    return answer;
  };

  const visitor = { check, tessera, url, person, cookie, visit };
  await checkPages(visitor);
  await checkApi(visitor);
  await checkRefresh(visitor);
  await checkServerSession(visitor);
  await checkHandlerPages(visitor);
  const secrets = [person.tokens.accessToken, person.tokens.refreshToken, tessera.secretServerKey];
  await check('never writes a token or the secret key into a page', () => {
    for (const text of seen) for (const secret of secrets) assert.ok(!text.includes(secret));
  });
  await checkColors(check, url);
  await check('sends no secret key to browsers', () =>
    assertNothingHolds(join(folder, '.next/static'), tessera.secretServerKey),
  );
}

async function checkPages({ check, url, person, cookie, visit }) {
  await check('renders on the server that the visitor is signed out', async () => {
    const { status, text } = await visit('/');
    assert.equal(status, 200);
    assert.match(text, /You are signed out\./);
  });
  await check('renders on the server who is signed in', async () => {
    assert.match(
      (await visit('/', { headers: { cookie } })).text,
      new RegExp(`signed in as (<!-- -->)?${person.email}`),
    );
  });
  await check('redirects a signed-out visitor from the protected page to the sign-in page', async () => {
    const { status, location } = await visit('/account');
    assert.equal(status, 307);
    assert.equal(new URL(location ?? '', url).pathname, '/handler/sign-in');
    assert.equal(new URL(location ?? '', url).searchParams.get('after_auth_return_to'), '/account');
  });
  await check('shows the protected page to a signed-in user', async () => {
    const { status, text } = await visit('/account', { headers: { cookie } });
    assert.equal(status, 200);
    assert.ok(text.includes(person.email));
  });
  await check('renders hooks of client components on the server, for the user of the request', async () => {
    assert.match((await visit('/')).text, /Hello, visitor\./);
    assert.ok((await visit('/', { headers: { cookie } })).text.includes(`Hello, ${person.email}.`));
  });
}

async function checkApi({ check, person, cookie, visit }) {
  const { accessToken } = person.tokens;
  await check('answers its API by cookie and by bearer token, and 401 to others', async () => {
    assert.equal((await visit('/api/me')).status, 401);
    for (const headers of [{ cookie }, { authorization: `Bearer ${accessToken}` }]) {
      const { status, text } = await visit('/api/me', { headers });
      assert.deepEqual([status, JSON.parse(text)], [200, { id: person.id }]);
    }
  });
}

async function checkRefresh({ check, tessera, url, person }) {
  const { refreshToken } = person.tokens;
  await check(
    'refreshes a missing access token in the proxy: the page knows the user, and the browser gets cookies',
    async () => {
      const old = `stack-refresh-${tessera.projectId}=${refreshToken}`;
      const response = await fetch(`${url}/`, { headers: { cookie: old } });
      assert.match(await response.text(), new RegExp(`signed in as (<!-- -->)?${person.email}`));
      const names = response.headers.getSetCookie().map(text => text.split('=')[0]);
      assert.deepEqual(names.sort(), ['stack-access', `stack-refresh-${tessera.projectId}`]);
    },
  );
}

async function checkServerSession({ check, url, person, visit }) {
  await check('opens a session that scripts cannot read', async () => {
    const body = JSON.stringify({ email: person.email, password: person.password });
    const headers = { 'content-type': 'application/json', 'x-forwarded-proto': 'https' };
    const response = await fetch(`${url}/server-session`, { method: 'POST', headers, body });
    assert.equal(response.status, 200);
    const asText = { ...headers, 'content-type': 'text/plain' };
    assert.equal((await fetch(`${url}/server-session`, { method: 'POST', headers: asText, body })).status, 415);
    const written = response.headers.getSetCookie().filter(text => text.startsWith('__Host-stack-'));
    assert.equal(written.length, 2);
    for (const text of written) assert.match(text, /HttpOnly/i);
    const own = written.map(text => text.split(';')[0]).join('; ');
    assert.equal((await visit('/api/me', { headers: { cookie: own } })).status, 200);
  });
}

async function checkHandlerPages({ check, visit }) {
  await check('serves the handler pages, and 404 for unknown ones', async () => {
    const page = await visit('/handler/sign-in');
    assert.equal(page.status, 200);
    assert.match(page.text, /class="tessera-root tessera-page/);
    // The response has begun when the page is looked up, so its status is 200 and the page says 404.
    assert.match((await visit('/handler/no-such-page')).text, /NEXT_HTTP_ERROR_FALLBACK;404/);
  });
}
