import { freePort } from '@tessera/testing/free-port';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openProfile } from './support/chromium.ts';
import { expectAccessible } from './support/owner.ts';
import { signInAtProvider, submitSignUp } from './support/pages.ts';
import { newPerson } from './support/people.ts';
import { startPrefixProxy } from './support/prefix-proxy.ts';
import { startServer } from './support/tessera-server.ts';
import { test as base } from './support/test.ts';
import { collectTroubles, withoutRedirects } from './support/troubles.ts';

const prefix = '/auth';

/** A server that the browser reaches only through a reverse proxy, below `/auth`. */
const test = base
  .extend('proxy', { scope: 'file' }, async ({ chromium: _ }, { onCleanup }) => {
    const [port, upstreamPort] = [await freePort(), await freePort()];
    const proxy = await startPrefixProxy({ port, prefix, upstreamPort });
    onCleanup(proxy.stop);
    return { ...proxy, upstreamPort };
  })
  .extend('server', { scope: 'file' }, async ({ proxy, serverEnv, database }, { onCleanup }) => {
    const env = { PORT: String(proxy.upstreamPort), TESSERA_PUBLIC_URL: proxy.url, ...serverEnv };
    const server = await startServer(env, database);
    onCleanup(server.remove);
    return server;
  })
  .extend('context', async ({ browser }, { onCleanup }) => {
    const context = await openProfile(browser);
    onCleanup(() => context.close());
    return context;
  })
  .extend('troubles', ({ context }) => collectTroubles(context))
  .extend('page', ({ context, troubles: _ }): Promise<Page> => context.newPage());

test('behind a path prefix, the owner signs up, opens a deep link, reloads it, and every request stays below the prefix', async ({
  proxy,
  server,
  page,
  troubles,
}) => {
  const requested: string[] = [];
  page.on('request', request => requested.push(request.url()));

  await page.goto(`${proxy.url}/`);
  await page.getByRole('link', { name: 'The dashboard' }).click();
  await submitSignUp(page, newPerson());
  await page.getByRole('heading', { name: 'Your projects' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`${prefix}/dashboard`);
  await expectAccessible(page);

  const users = `${proxy.url}/dashboard/projects/${server.keys.projectId}/users?q=ada`;
  await page.goto(users);
  await page.getByRole('heading', { name: 'No user matches' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'No user matches' }).waitFor();
  expect(page.url()).toBe(users);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('There are no sign-ups in this range.').waitFor();
  expect(new URL(page.url()).pathname).toBe(`${prefix}/dashboard/projects/${server.keys.projectId}/overview`);
  await expectAccessible(page);

  const outside = requested.filter(url => /^https?:/.test(url) && !url.startsWith(`${proxy.url}/`));
  expect(outside).toEqual([]);
  // The content security policy reports a refusal on the console.
  expect(troubles).toEqual([]);
});

test('behind a path prefix, a user signs in with the mock provider, and returns to the page that asked for it', async ({
  proxy,
  server,
  context,
  page,
  troubles,
}) => {
  const { email } = newPerson();
  const deepLink = `${proxy.url}/dashboard/projects/${server.keys.projectId}/users`;
  await page.goto(deepLink);
  await page.getByRole('button', { name: 'Sign in with GitHub' }).click();
  await page.waitForURL(`${proxy.url}/dev/oauth/**`);
  await signInAtProvider(page, 'GitHub', email);
  await page.waitForURL(deepLink);
  // The project has another owner.
  await page.getByRole('heading', { name: 'You have no such project' }).waitFor();

  await page.goto(`${proxy.url}/dashboard/`);
  await page.getByRole('heading', { name: 'Your projects' }).waitFor();
  await page.getByRole('button', { name: new RegExp(email) }).waitFor();
  expect((await context.cookies()).filter(({ path }) => path !== '/' && !path.startsWith(prefix))).toEqual([]);
  expect(withoutRedirects(troubles)).toEqual([]);
});
