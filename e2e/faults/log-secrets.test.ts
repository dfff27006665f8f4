import { ClientApp, ServerApp } from '@tessera/client';
import { until } from '@tessera/testing/until';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { call, register, signIn, signUp } from '../support/api.ts';
import { enter, shelf, submitSignIn, submitSignUp, userMenu } from '../support/pages.ts';
import { newPerson, type Person } from '../support/people.ts';
import type { TesseraServer } from '../support/tessera-server.ts';
import { test as base } from '../support/test.ts';

const test = base
  .extend('serverEnv', { scope: 'file' }, { TESSERA_LOG_LEVEL: 'trace' })
  .extend('database', { scope: 'file' }, undefined);

/** Part of all passwords, so that a search finds every trace. */
const canary = 'canary-8d1f';

test('control 96: the log contains no password, token, key, code or full email address', async ({
  server,
  context,
  page,
}) => {
  const secrets = new Set<string>(Object.values(server.keys).filter(key => key !== server.keys.projectId));
  page.on('request', request => {
    for (const name of ['x-stack-access-token', 'x-stack-refresh-token']) {
      const token = request.headers()[name];
      if (token) secrets.add(token);
    }
  });
  const person = { ...newPerson(), password: `${canary} of ada` };

  await useInBrowser(page, person);
  for (const { value } of await context.cookies()) for (const text of tokensOf(value)) secrets.add(text);

  await useFromServer(server, { person, secrets });
  await sendRefusedRequests(server, person);
  await useWhileDatabaseFails(server, person);
  await server.stop();

  const log = server.log();
  expect(log).toContain('"listening"');
  expect(log.split('\n').length).toBeGreaterThan(20);
  expect(log).not.toContain(canary);
  for (const secret of secrets) expect(log).not.toContain(secret);
  expect(secrets.size).toBeGreaterThan(5);
  // Anything that looks like a token, a key, a code or a hash.
  expect(log).not.toMatch(/eyJ[\w-]{10,}/);
  expect(log).not.toMatch(/\b(?:pck|ssk|sak)_\w{8,}/);
  expect(log).not.toMatch(/\b[0-9a-hjkmnp-tv-z]{45}\b/);
  expect(log).not.toMatch(/\$argon2|\$2[aby]\$/);
  expect(log).not.toMatch(/ada-[0-9a-f]{12}@/);
});

/** The tokens in a cookie: one token, or a pair as JSON. */
function tokensOf(value: string): string[] {
  const text = decodeURIComponent(value);
  const tokens = text.startsWith('[') ? JSON.parse(text) : [text];
  return tokens.filter((token: unknown) => typeof token === 'string' && token.length > 20);
}

async function useInBrowser(page: Page, person: Person): Promise<void> {
  await page.goto('/handler/sign-up');
  await submitSignUp(page, person);
  await shelf(page).waitFor();
  await page.goto('/handler/sign-out');
  await page.getByRole('link', { name: 'Start your shelf' }).waitFor();
  await page.goto('/handler/sign-in');
  await submitSignIn(page, { email: person.email, password: `${canary} wrong` });
  await page.getByText('Incorrect email or password.').waitFor();
  await enter(page, person);
  await userMenu(page, person.email).waitFor();
}

async function useFromServer(
  server: TesseraServer,
  { person, secrets }: { person: Person; secrets: Set<string> },
): Promise<void> {
  const { url: baseUrl, keys } = server;
  const app = new ServerApp({ ...keys, baseUrl, tokenStore: 'memory' });
  await app.signInWithCredential(person);
  const user = await app.getUser({ or: 'throw' });
  await user.update({ password: `${canary} of ada, changed` });
  for (const token of Object.values(await user.getAuthJson())) if (token) secrets.add(token);
  const stranger = new ClientApp({ ...keys, publishableClientKey: `pck_${canary}`, baseUrl, tokenStore: 'memory' });
  await stranger.signInWithCredential(person).catch(() => undefined);
}

async function sendRefusedRequests(server: TesseraServer, person: Person): Promise<void> {
  await call(server, 'POST /auth/password/sign-in', { body: { email: person.email, password: [canary] } });
  await call(server, 'POST /auth/password/sign-up', { body: { [canary]: canary, email: canary, password: canary } });
  await call(server, `GET /users/me?access_token=${canary}`, {
    accessToken: `eyJhbGciOiJFUzI1NiJ9.${canary}.${canary}`,
  });
  await fetch(`${server.url}/api/v1/auth/password/sign-in`, { method: 'POST', body: `{"password":"${canary}",` });
  await fetch(`${server.url}/api/v1/${canary}?code=${canary}`);
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: canary, client_secret: canary });
  await fetch(`${server.url}/api/v1/auth/oauth/token`, { method: 'POST', body: form });
}

async function useWhileDatabaseFails(server: TesseraServer, person: Person): Promise<void> {
  process.kill(await server.postmasterPid(), 'SIGKILL');
  await Promise.all(Array.from({ length: 8 }, () => signUp(server, { ...newPerson(), password: canary })));
  await until('the database is back', async () => (await fetch(`${server.url}/health?db=1`)).ok);
  await register(server, { ...newPerson(), password: canary });
  await signIn(server, person);
}
