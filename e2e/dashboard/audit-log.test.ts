import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { register, signIn } from '../support/api.ts';
import { violationsOf } from '../support/axe.ts';
import { openProfile } from '../support/chromium.ts';
import { test } from '../support/owner.ts';
import { newPerson } from '../support/people.ts';

const auditTable = (page: Page) => page.getByRole('table', { name: 'Audit log' });

test('an owner watches the audit log, finds a failed sign-in, reads it step by step, and exports the log', async ({
  server,
  page,
  troubles,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/overview`);
  await page.getByRole('link', { name: 'Audit log', exact: true }).click();
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
  expect(await violationsOf(page)).toEqual([]);

  const user = newPerson();
  await register(server, user);
  await signIn(server, { ...user, password: 'not the password of this user' });
  await auditTable(page).getByRole('link', { name: 'Sign-in failed' }).waitFor();
  await auditTable(page).getByRole('link', { name: 'Signed in' }).waitFor();
  await auditTable(page).getByText(user.email).filter({ visible: true }).first().waitFor();
  const signedIn = auditTable(page).getByRole('row').filter({ hasText: 'Signed in' }).first();
  await signedIn.getByText(/^\d{1,2}:\d\d:\d\d\s[AP]M/).waitFor();

  await page.getByRole('combobox', { name: 'Event' }).selectOption('Sign-in failed');
  await auditTable(page).getByRole('link', { name: 'Signed in' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('action')).toBe('sign_in.failed');
  expect(await violationsOf(page)).toEqual([]);

  const userFilter = page.getByRole('searchbox', { name: 'User (id or email)' });
  await userFilter.fill(newPerson().email);
  await page.keyboard.press('Enter');
  await page.getByText('No user has this address.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await userFilter.fill(user.email.toUpperCase());
  await page.keyboard.press('Tab');
  await expect.poll(() => new URL(page.url()).searchParams.get('user')).toMatch(/^[0-9a-f-]{36}$/);
  await auditTable(page).getByRole('link', { name: 'Sign-in failed' }).waitFor();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).dblclick();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file.split('\r\n').map(line => line.split(',')[1])).toEqual(['action', 'sign_in.failed', undefined]);

  await auditTable(page).getByRole('link', { name: 'Sign-in failed' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sign-in failed', level: 1 }).waitFor();
  const steps = page.getByRole('region', { name: 'This sign-in attempt, step by step' }).getByRole('listitem');
  await steps.filter({ hasText: 'The attempt belongs to an account of this project.' }).waitFor();
  await steps.filter({ hasText: 'the address and the password do not belong together' }).waitFor();
  await steps.filter({ hasText: 'No session was created.' }).waitFor();
  await page.getByRole('region', { name: 'Before and after' }).getByRole('link', { name: 'Signed in' }).waitFor();
  await page.getByRole('region', { name: 'Facts' }).getByRole('link', { name: user.email }).waitFor();
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('region', { name: 'Facts' }).getByRole('link', { name: '127.0.0.1' }).click();
  await auditTable(page).getByRole('link', { name: 'Sign-in failed' }).waitFor();
  const addressFilter = page.getByRole('searchbox', { name: 'IP address' });
  expect(await addressFilter.inputValue()).toBe('127.0.0.1');
  await addressFilter.fill('198.51.100.7');
  await page.getByRole('heading', { name: 'No event matches' }).waitFor();
  await addressFilter.fill('198.51.100');
  await page.keyboard.press('Tab');
  await page.getByText('Enter a complete IP address.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.goBack();
  await page.getByRole('heading', { name: 'Sign-in failed', level: 1 }).waitFor();

  await page.reload();
  await page.getByRole('heading', { name: 'Sign-in failed', level: 1 }).waitFor();
  await page.goto(page.url().replace(/[^/]+$/, '00000000-0000-4000-8000-000000000000'));
  await page.getByRole('heading', { name: 'There is no such event', level: 1 }).waitFor();
  expect(await page.title()).toBe('There is no such event · Demo · Tessera');
  expect(troubles).toEqual([]);
});

test('what is typed while a user is looked up by address stays in the filter', async ({ server, page }) => {
  const user = newPerson();
  await register(server, user);
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/audit-log`);
  let answer = () => {};
  const held = new Promise<void>(resolve => {
    answer = resolve;
  });
  const lookup = '**/api/v1/users?*';
  await page.route(lookup, async route => {
    await held;
    await route.continue();
  });
  const userFilter = page.getByRole('searchbox', { name: 'User (id or email)' });
  await userFilter.fill(user.email);
  const asked = page.waitForRequest(lookup);
  await userFilter.press('Enter');
  await asked;
  await userFilter.fill('grace@example.com');
  const answered = page.waitForResponse(lookup);
  answer();
  await (await answered).finished();
  await page.getByRole('combobox', { name: 'Event' }).selectOption('Sign-in failed');
  await expect.poll(() => new URL(page.url()).searchParams.get('action')).toBe('sign_in.failed');
  expect(new URL(page.url()).searchParams.get('user')).toBeNull();
  expect(await userFilter.inputValue()).toBe('grace@example.com');
});

test('an owner finds the sign-in attempt that an error page names, reads why it was refused, and opens the setting that allows it', async ({
  server,
  browser,
  page,
  troubles,
}) => {
  const api = `${server.url}/api/v1`;
  const headers = {
    'content-type': 'application/json',
    'x-stack-access-type': 'client',
    'x-stack-project-id': server.keys.projectId,
    'x-stack-publishable-client-key': server.keys.publishableClientKey,
  };
  const body = JSON.stringify({ email: newPerson().email, callback_url: 'https://new-shop.example/handler' });
  const refused = await fetch(`${api}/auth/otp/send-sign-in-code`, { method: 'POST', headers, body });
  const traceId = refused.headers.get('x-stack-request-id') ?? '';
  expect(refused.headers.get('x-stack-known-error')).toBe('REDIRECT_URL_NOT_WHITELISTED');

  const log = `${server.url}/dashboard/projects/${server.keys.projectId}/audit-log`;
  await page.goto(log);
  await page.getByRole('searchbox', { name: 'Trace id' }).fill('not a trace id');
  await page.getByRole('button', { name: 'Find the request' }).click();
  await page.getByText('A trace id has 16 letters and digits.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('searchbox', { name: 'Trace id' }).fill(` ${traceId.toUpperCase()} `);
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: 'What happened in this request', level: 1 }).waitFor();
  const steps = page.getByRole('region', { name: 'This request, step by step' }).getByRole('listitem');
  await steps.filter({ hasText: 'A request for a sign-in email arrived · Passed' }).waitFor();
  const failed = steps.filter({ hasText: 'The rules of the project · Failed' });
  await failed.filter({ hasText: 'The return address is at https://new-shop.example.' }).waitFor();
  await steps.filter({ hasText: 'No session was created.' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.reload();
  await failed.getByRole('link', { name: 'Open the trusted domains' }).click();
  await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();

  await page.goto(`${log}/trace/0000000000000000`);
  await page.getByRole('heading', { name: 'No event has this trace id' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);

  // The page that a provider's refusal leads to shows the same id to the user.
  const profile = await openProfile(browser);
  const app = await profile.newPage();
  const id = 'abcdefgh01234567';
  await app.goto(`${server.url}/dashboard/handler/error?errorCode=SIGN_UP_NOT_ENABLED&message=x&trace_id=${id}`);
  await app.getByText(id).waitFor();
  await profile.close();
  expect(troubles).toEqual([]);
});
