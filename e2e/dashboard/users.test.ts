import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { test } from '../support/owner.ts';
import { configure } from '../support/project.ts';

const main = (page: Page) => page.getByRole('main');
const table = (page: Page) => page.getByRole('table', { name: 'Users' });

const csv = `email,email_verified,full_name,password_hash,created_at
ada@example.com,yes,Ada Lovelace,$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy,2020-01-31
bob@example.com,no,Bob,,2021-02-28
not an address,no,No address,,
ada@example.com,yes,Ada again,,
=evil@example.com,yes,=1+1,,
`;

test('control 107: an owner imports users, filters and exports them, takes a deletion back, creates a link, and acts as a user', async ({
  server,
  page,
  troubles,
}) => {
  await configure(server, {
    credential_enabled: true,
    magic_link_enabled: true,
    domains: [{ domain: 'http://localhost:3000', handler_path: '/handler' }],
  });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  await main(page).getByRole('link', { name: 'Import' }).click();
  await page.getByRole('heading', { name: 'Import users', level: 1 }).waitFor();
  const accepted = page.getByRole('list', { name: 'Accepted columns' });
  await accepted.getByText('password_hash', { exact: true }).waitFor();
  await page.getByText('$argon2id$v=19$', { exact: false }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const [sample] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download a sample file' }).click(),
  ]);
  await page.getByLabel('CSV or JSON file').setInputFiles(await sample.path());
  await page.getByRole('button', { name: 'Check without importing' }).click();
  await page.getByRole('heading', { name: 'Result of the check' }).waitFor();
  await page.getByText('2 would be created').waitFor();
  const buffer = Buffer.from(csv);
  await page.getByLabel('CSV or JSON file').setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer });
  expect(await page.getByLabel('full_name').inputValue()).toBe('display_name');
  expect(await page.getByLabel('created_at').inputValue()).toBe('signed_up_at_millis');
  await page.getByRole('button', { name: 'Check without importing' }).click();
  await page.getByRole('heading', { name: 'Result of the check' }).waitFor();
  await page.getByRole('cell', { name: /would fail: Email address/ }).waitFor();
  await page.getByRole('cell', { name: /would be skipped/ }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Import 5 rows' }).click();
  await page.getByRole('heading', { name: 'Result of the import' }).waitFor();
  await page.getByText('3 created').waitFor();
  const [failures] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download these rows with their reasons' }).click(),
  ]);
  expect(await readFile(await failures.path(), 'utf8')).toContain('not an address,no,No address,,');

  await page.getByRole('link', { name: 'All users' }).click();
  await table(page).getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Signs in with').selectOption('Password');
  await table(page).getByRole('link', { name: 'Bob' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('method')).toBe('password');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel('Email address verified').selectOption('No');
  await page.getByText('No user fulfils these filters.').waitFor();
  await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click();
  await table(page).getByRole('link', { name: 'Bob' }).waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toContain("'=1+1");

  await page.getByRole('checkbox', { name: /Bob/ }).check();
  await page.getByRole('button', { name: 'Delete 1 user' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 user' }).click();
  // The pointer on the toast stops its countdown.
  await page.getByRole('button', { name: 'Undo' }).hover();
  await table(page).getByRole('link', { name: 'Bob' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await table(page).getByRole('link', { name: 'Bob' }).waitFor();

  await table(page).getByRole('link', { name: 'Ada Lovelace' }).click();
  await page.getByRole('button', { name: 'Create a sign-in link' }).click();
  await page.getByText(/localhost:3000\/handler\/magic-link-callback\?code=/).waitFor();
  expect(await violationsOf(page)).toEqual([]);

  const [acting] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Act as this user' }).click(),
  ]);
  await acting.getByRole('heading', { name: 'Act as Ada Lovelace' }).waitFor();
  await acting.getByRole('button', { name: 'Open the account' }).click();
  await acting.getByText('Enter at least 5 characters.').waitFor();
  await acting.getByLabel('Reason').fill('Ticket 1815');
  expect(await violationsOf(acting)).toEqual([]);
  await acting.getByRole('button', { name: 'Open the account' }).click();
  const bar = acting.getByRole('region', { name: 'Impersonation' });
  await bar.getByText('You act as Ada Lovelace in Demo.').waitFor();
  await acting.getByRole('heading', { name: 'Account settings' }).waitFor();
  await acting.getByRole('main').getByText('Ada Lovelace', { exact: true }).first().waitFor();
  expect(await violationsOf(acting)).toEqual([]);
  await bar.getByRole('button', { name: 'End' }).click();
  await acting.getByRole('heading', { name: 'The impersonation has ended' }).waitFor();
  await acting.close();
  expect(troubles).toEqual([]);
});
