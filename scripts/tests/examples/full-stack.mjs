import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkColors } from './page.mjs';
import { assertNothingHolds, cookiesOf, get, signUp } from './visitor.mjs';

/** Checks of an example app that renders on its server and guards `/account` there. */
export async function checkFullStack({ check, tessera, folder, url, browserFiles }) {
  const person = await signUp(tessera);
  const cookie = cookiesOf(tessera, person.tokens);

  await check('renders on the server who is signed in', async () => {
    const signedOut = await get(url);
    assert.equal(signedOut.status, 200);
    assert.match(signedOut.text, /You are signed out\./);
    const { status, text } = await get(url, { headers: { cookie } });
    assert.equal(status, 200);
    assert.match(text, new RegExp(`Hello, (<!-- -->)?${person.email}`));
  });
  await check('answers 200 with the handler pages', async () => {
    assert.equal((await get(`${url}/handler/sign-in`)).status, 200);
  });
  await check('redirects a signed-out visitor of the guarded page to sign-in and back', async () => {
    const { status, location } = await get(`${url}/account?tab=2`);
    assert.ok([302, 307].includes(status), `the status is ${status}`);
    const target = new URL(location ?? '', url);
    assert.equal(target.pathname, '/handler/sign-in');
    assert.equal(target.searchParams.get('after_auth_return_to'), '/account?tab=2');
  });
  await check('shows the guarded page to a signed-in user', async () => {
    const { status, text } = await get(`${url}/account`, { headers: { cookie } });
    assert.equal(status, 200);
    assert.ok(text.includes(person.email));
    for (const secret of [...Object.values(person.tokens), tessera.secretServerKey]) assert.ok(!text.includes(secret));
  });
  await check('refreshes a missing access token, and the browser gets the new one', async () => {
    const old = `stack-refresh-${tessera.projectId}=${person.tokens.refreshToken}`;
    const response = await fetch(`${url}/account`, { headers: { cookie: old } });
    assert.ok((await response.text()).includes(person.email));
    const names = response.headers.getSetCookie().map(text => text.split('=')[0]);
    assert.ok(names.includes('stack-access'));
  });
  await check('sends no secret key to browsers', () =>
    assertNothingHolds(join(folder, browserFiles), tessera.secretServerKey),
  );
  await checkColors(check, url);
}
