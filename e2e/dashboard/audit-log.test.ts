import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { submitSignIn, submitSignUp } from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { test } from '../support/test.ts';

/** Chromium reports the stream of the export as aborted although it is complete: the test compares its rows. */
const readStream = 'failed: GET /api/v1/internal/extensions/audit-log/export net::ERR_ABORTED';

const auditTable = (page: Page) => page.getByRole('table', { name: 'Audit log' });

test('an owner watches the audit log, finds a failed sign-in, reads it step by step, and exports the log', async ({
  server,
  demo,
  browser,
  page,
  troubles,
}) => {
  await page.goto(`${server.url}/dashboard/`);
  await submitSignUp(page, newPerson());
  await page.getByRole('link', { name: /^Demo/ }).waitFor();
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/overview`);
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
  expect(await violationsOf(page)).toEqual([]);

  // In a browser profile of its own: the owner and the user are two people.
  const profile = await browser.newContext({ baseURL: demo.url, locale: 'en-GB', reducedMotion: 'reduce' });
  const user = newPerson();
  const app = await profile.newPage();
  await app.goto('/handler/sign-up');
  await submitSignUp(app, user);
  await app.getByRole('heading', { name: 'Your shelf', level: 1 }).waitFor();
  await profile.clearCookies();
  await app.goto('/handler/sign-in');
  await submitSignIn(app, { ...user, password: 'not the password of this user' });

  await auditTable(page).getByRole('link', { name: 'Sign-in failed' }).waitFor();
  await auditTable(page).getByRole('link', { name: 'Signed in' }).waitFor();
  await profile.close();

  await page.getByRole('combobox', { name: 'Event' }).selectOption('Sign-in failed');
  await auditTable(page).getByRole('link', { name: 'Signed in' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('action')).toBe('sign_in.failed');
  expect(await violationsOf(page)).toEqual([]);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
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
  expect(await violationsOf(page)).toEqual([]);

  await page.reload();
  await page.getByRole('heading', { name: 'Sign-in failed', level: 1 }).waitFor();
  await page.goto(page.url().replace(/[^/]+$/, '00000000-0000-4000-8000-000000000000'));
  await page.getByRole('heading', { name: 'There is no such event' }).waitFor();
  expect(troubles.filter(trouble => trouble !== readStream)).toEqual([]);
});
