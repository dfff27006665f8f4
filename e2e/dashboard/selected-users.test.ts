import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { test } from '../support/owner.ts';
import { configure, create } from '../support/project.ts';

const table = (page: Page) => page.getByRole('table', { name: 'Users' });

/** The id of the focused element. */
const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id);

const backgroundOf = (element: Locator) => element.evaluate(node => getComputedStyle(node).backgroundColor);

test('an owner suspends users in the list, reads the reason, and ends a suspension on the page of a user and in the list', async ({
  server,
  page,
}) => {
  await configure(server, { credential_enabled: true });
  const addresses = ['carl@example.com', 'dora@example.com'];
  for (const primary_email of addresses) {
    await create(server, 'users', {
      primary_email,
      primary_email_auth_enabled: true,
      password: 'correct horse battery',
    });
  }
  const signIn = async () => {
    const response = await fetch(`${server.url}/api/v1/auth/password/sign-in`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-stack-access-type': 'client',
        'x-stack-project-id': server.keys.projectId,
        'x-stack-publishable-client-key': server.keys.publishableClientKey,
      },
      body: JSON.stringify({ email: addresses[0], password: 'correct horse battery' }),
    });
    return response.headers.get('x-stack-known-error') ?? response.status;
  };
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  for (const address of addresses) await table(page).getByRole('checkbox', { name: address }).check();
  const bar = page.getByRole('toolbar', { name: '2 selected' });
  expect(await backgroundOf(bar)).not.toBe(await backgroundOf(table(page).getByRole('row').nth(1)));
  await page.getByRole('button', { name: 'Suspend 2 users' }).click();
  const dialog = page.getByRole('dialog', { name: 'Suspend 2 users?' });
  await dialog.getByLabel('Reason').fill('Spam');
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByText('2 users are suspended').waitFor();
  await expect.poll(() => table(page).getByText('suspended', { exact: true }).count()).toBe(2);
  expect(await signIn()).toBe('USER_SUSPENDED');
  // The focused button is gone with the bar. Otherwise the next Tab would start at the top of the window.
  expect(await focusedId(page)).toBe('content');

  await table(page).getByRole('link', { name: 'carl@example.com' }).click();
  await page.getByRole('heading', { name: 'This user is suspended' }).waitFor();
  await page.getByText(/Since .*\. Reason: Spam/).waitFor();
  await page.getByText(/^Until the suspension ends, sign-in links/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'End the suspension' }).click();
  await page.getByText('The user can sign in again').waitFor();
  expect(await signIn()).toBe(200);
  await page.getByRole('button', { name: 'Suspend the user' }).waitFor();
  expect(await focusedId(page)).toBe('content');

  await page.getByRole('link', { name: 'All users' }).click();
  for (const address of addresses) await table(page).getByRole('checkbox', { name: address }).check();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'End the suspension' }).click();
  // Only dora is still suspended.
  await page.getByRole('dialog').getByRole('button', { name: 'End the suspension of 1 user' }).click();
  await page.getByText('1 user can sign in again').waitFor();
  await expect.poll(() => table(page).getByText('suspended', { exact: true }).count()).toBe(0);
});

test('an owner marks the addresses of selected users as verified, ends their sessions, exports them and writes to them', async ({
  server,
  page,
  troubles,
}) => {
  await configure(server, { credential_enabled: true });
  const person = { primary_email_auth_enabled: true, password: 'correct horse battery' };
  await create(server, 'users', { ...person, display_name: 'Fred', primary_email: 'fred@example.com' });
  await create(server, 'users', { display_name: 'Nomail' });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  const select = async (...names: string[]) => {
    for (const name of names) await table(page).getByRole('checkbox', { name }).check();
  };
  const act = async (action: string, confirmation: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: action }).click();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: confirmation }).click();
  };

  await select('Fred', 'Nomail');
  await act('Mark the address as verified', 'Mark 2 addresses as verified');
  await page.getByText('1 verified, 1 failed').waitFor();
  await page.getByText('Nomail: Without a primary email there is nothing to verify').waitFor();

  await select('Fred', 'Nomail');
  await act('End all sessions', 'End the sessions of 2 users');
  await page.getByText('The sessions of 2 users have ended').waitFor();

  await select('Fred', 'Nomail');
  await page.getByRole('button', { name: 'More actions' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
  ]);
  const rows = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(rows.slice(1).map(row => row.split(',')[1])).toEqual(['Fred', 'Nomail']);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Write an email' }).click();
  await page.getByText('Leaves out 1 user without an email address').waitFor();
  // The owner is a user of `internal`, and would be signed out of the dashboard.
  await page.goto(`${server.url}/dashboard/projects/internal/users`);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('button', { name: 'More actions' }).click();
  const ending = page.getByRole('menuitem', { name: 'End all sessions' });
  expect(await ending.getAttribute('aria-disabled')).toBe('true');

  // Besides the refused change of the user without an address.
  expect(troubles.filter(trouble => !trouble.includes('400'))).toEqual([]);
});

test('the bar of selected users takes two rows on a phone, and its buttons keep their names', async ({
  server,
  page,
}) => {
  await create(server, 'users', { display_name: 'Phone' });
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  await page.getByRole('checkbox', { name: 'Phone' }).check();
  const bar = page.getByRole('toolbar', { name: '1 selected' });
  const names = ['Clear the selection', 'More actions', 'Suspend 1 user', 'Delete 1 user'];
  const centers = await Promise.all(
    names.map(async name => {
      const { y = 0, height = 0 } = (await bar.getByRole('button', { name }).boundingBox()) ?? {};
      return Math.round(y + height / 2);
    }),
  );
  expect(new Set(centers).size).toBe(2);
  expect(await violationsOf(page)).toEqual([]);
});

test('control 108: the keyboard leads from a selected user past the other rows to the actions', async ({
  server,
  page,
}) => {
  const primary_email = 'emma@example.com';
  await create(server, 'users', { primary_email });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  await table(page).getByRole('checkbox', { name: primary_email }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('toolbar', { name: '1 selected' }).waitFor();
  await page.keyboard.press('Tab');
  const link = page.getByRole('button', { name: 'Go to the actions for the selection' });
  expect(await link.evaluate(node => node === document.activeElement && node.getBoundingClientRect().width > 100)).toBe(
    true,
  );
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Clear the selection');
});
