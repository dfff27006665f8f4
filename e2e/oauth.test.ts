import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { openProfile } from './support/chromium.ts';
import { startForeignApp } from './support/host-apps/foreign-app.ts';
import { signInAtProvider } from './support/pages.ts';
import { newPerson } from './support/people.ts';
import { configure } from './support/project.ts';
import { test as base } from './support/test.ts';
import { collectTroubles, withoutRedirects } from './support/troubles.ts';

/** An app of project `internal`, which has shared providers from the first start. */
const test = base
  .extend('app', { scope: 'file' }, async ({ server }, { onCleanup }) => {
    const { projects } = JSON.parse(await readFile(join(server.dataDir, 'keys.json'), 'utf8'));
    const { publishableClientKey } = projects.internal;
    const app = await startForeignApp({ projectId: 'internal', publishableClientKey, baseUrl: server.url });
    onCleanup(app.stop);
    return { url: app.url, publishableClientKey: String(publishableClientKey) };
  })
  .extend('own', async ({ browser, app }, { onCleanup }) => {
    const context = await openProfile(browser, { baseURL: app.url });
    onCleanup(() => context.close());
    const troubles = collectTroubles(context);
    return { page: await context.newPage(), troubles };
  });

async function beginSignIn(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in with GitHub' }).click();
}

describe('the SDK of the hosted service, with the mock OIDC provider', () => {
  test('signs up, signs out, and signs in again as the same user', async ({ own: { page, troubles } }) => {
    const { email } = newPerson();
    await beginSignIn(page);
    await signInAtProvider(page, 'GitHub', email);
    await page.getByText(`signed in as ${email} with github`).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    const first = userIdOf(await accessTokenOf(page));
    expect(withoutRedirects(troubles)).toEqual([]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('signed out').waitFor();
    await beginSignIn(page);
    await signInAtProvider(page, 'GitHub', email);
    await page.getByText(`signed in as ${email} with github`).waitFor();
    expect(userIdOf(await accessTokenOf(page))).toBe(first);
  });

  test('shows the error page of the app when the user declines', async ({ own: { page } }) => {
    await beginSignIn(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('failed with OAUTH_PROVIDER_ACCESS_DENIED').waitFor();
  });
});

test('a signed-in user connects another provider without the SDK', async ({ server, app, own: { page } }) => {
  const { email } = newPerson();
  await beginSignIn(page);
  await signInAtProvider(page, 'GitHub', email);
  await page.getByText(`signed in as ${email} with github`).waitFor();
  const token = await accessTokenOf(page);
  const verifier = randomBytes(32).toString('base64url');
  const back = `${app.url}/linked`;

  const authorize = new URL(`${server.url}/api/v1/auth/oauth/authorize/spotify`);
  authorize.search = new URLSearchParams({
    client_id: 'internal',
    client_secret: app.publishableClientKey,
    redirect_uri: back,
    scope: 'legacy',
    state: 'a state',
    grant_type: 'authorization_code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    response_type: 'code',
    type: 'link',
    token,
  }).toString();
  await page.goto(authorize.href);
  await signInAtProvider(page, 'Spotify', `music-${email}`);
  await page.waitForURL(`${back}?code=*`);

  const { searchParams } = new URL(page.url());
  expect(searchParams.get('state')).toBe('a state');
  const exchange = await fetch(`${server.url}/api/v1/auth/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: searchParams.get('code') ?? '',
      redirect_uri: back,
      code_verifier: verifier,
      client_id: 'internal',
      client_secret: app.publishableClientKey,
    }),
  });
  const tokens = await exchange.json();
  expect(tokens).toMatchObject({ is_new_user: false, token_type: 'Bearer', scope: 'legacy' });
  expect(userIdOf(tokens.access_token)).toBe(userIdOf(token));
  await page.goto('/');
  await page.getByText(`signed in as ${email} with github and spotify`).waitFor();
});

test('the page of the mock OIDC provider works without scripts', async ({ browser, app, own: { page } }) => {
  const begun = page.waitForRequest(/\/auth\/oauth\/authorize\/github/);
  await beginSignIn(page);
  const context = await openProfile(browser, { javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto((await begun).url());
  await plain.getByRole('textbox', { name: 'Email address' }).fill(newPerson().email);
  await plain.getByRole('button', { name: 'Sign in', exact: true }).click();
  await plain.waitForURL(`${app.url}/handler/oauth-callback?code=*`);
  await context.close();
});

test('a page of another site does not push the cookies of a session out of the browser', async ({
  browser,
  server,
  app,
}) => {
  const oauth_providers = [{ id: 'apple', type: 'standard', client_id: 'an app', client_secret: 'x' }] as const;
  await configure(server, { oauth_providers });
  const authorize = new URL(`${server.url}/api/v1/auth/oauth/authorize/apple`);
  authorize.search = new URLSearchParams({
    client_id: server.keys.projectId,
    client_secret: server.keys.publishableClientKey,
    redirect_uri: 'http://localhost:3000/back',
    scope: 'legacy',
    state: 'a state',
    grant_type: 'authorization_code',
    code_challenge: createHash('sha256').update('a verifier').digest('base64url'),
    code_challenge_method: 'S256',
    response_type: 'code',
  }).toString();
  // A proxy that nothing listens for: no request of the test reaches Apple.
  const proxy = { server: 'http://127.0.0.1:9', bypass: 'localhost,127.0.0.1' };
  const otherSite = app.url.replace('localhost', '127.0.0.1');
  const context = await openProfile(browser, { proxy });
  await context.addCookies([{ name: 'session', value: 'x', url: server.url }]);
  const page = await context.newPage();
  const names = async () => (await context.cookies(server.url)).map(({ name }) => name.replace(/-[\w-]{43}$/, ''));

  await page.goto(otherSite);
  await page.evaluate(async url => {
    // Chromium keeps at most 180 cookies of a domain.
    const images = Array.from({ length: 190 }, () => new Image());
    const ended = images.map(image => new Promise(resolve => image.addEventListener('error', resolve)));
    for (const [index, image] of images.entries()) image.src = `${url}&provider_scope=${index}`;
    await Promise.all(ended);
  }, authorize.href);
  expect(await names()).toEqual(['session']);

  for (let index = 0; index < 12; index++) {
    await expect(page.goto(authorize.href)).rejects.toThrow('ERR_PROXY_CONNECTION_FAILED');
  }
  expect((await names()).sort()).toEqual(['session', ...Array(10).fill('stack-oauth-inner')]);
  await context.close();
});

/** The access token of the signed-in user. */
async function accessTokenOf(page: Page): Promise<string> {
  return (await page.locator('body').getAttribute('data-access-token')) ?? '';
}

/** The user id in an access token. */
function userIdOf(accessToken: string): unknown {
  return JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sub;
}
