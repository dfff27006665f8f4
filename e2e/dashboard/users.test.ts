import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { call, register } from '../support/api.ts';
import { violationsOf } from '../support/axe.ts';
import { expectAccessible, test } from '../support/owner.ts';
import { newPerson } from '../support/people.ts';
import { configure, create } from '../support/project.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name });
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
  await checkSampleFile(page);
  await importFile(page);
  await findAndFilter(page);
  await exportUsers(page);
  await deleteAndUndo(page);
  await openUserAndCreateLink(page);
  await actAsUser(page);
  expect(troubles).toEqual([]);
});

test('an owner creates a user who can sign in, and changes addresses, methods, teams and permissions of the user', async ({
  server,
  page,
  troubles,
}) => {
  await configure(server, { credential_enabled: true, magic_link_enabled: true });
  await create(server, 'teams', { display_name: 'Engines' });
  const longName = 'T'.repeat(100);
  await create(server, 'teams', { display_name: longName });
  await create(server, 'project-permission-definitions', { id: 'read_reports' });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  await createUser(page);
  await changeAddresses(page);
  await changePassword(page);
  await addToTeamAndRemove(page);
  await grantProjectPermission(page);
  await showPermissionsOfTeam(page, longName);
  expect(troubles).toEqual([]);
});

test('the result of a check disappears when the choice for existing users changes', async ({ server, page }) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users/import`);
  const buffer = Buffer.from('email,name\nfinn@example.com,Finn\n');
  await page.getByLabel('CSV or JSON file').setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Check without importing' }).click();
  const result = page.getByRole('heading', { name: 'Result of the check' });
  await result.waitFor();
  await page.getByRole('combobox', { name: 'A user with the address exists' }).selectOption('Report the row as failed');
  await result.waitFor({ state: 'detached' });
});

test('a search without a match that is cleared keeps the order and the hidden columns', async ({ server, page }) => {
  const hide = encodeURIComponent(JSON.stringify(['lastActive']));
  const search = `q=no-match&order=oldest&hide=${hide}`;
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users?${search}`);
  await page.getByRole('heading', { name: 'No user matches' }).waitFor();
  await main(page).getByText('A name is found with its accents').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('heading', { name: 'No user matches' }).waitFor({ state: 'detached' });
  expect(await page.getByRole('combobox', { name: 'Order' }).inputValue()).toBe('oldest');
  expect(new URL(page.url()).searchParams.get('hide')).toBe('["lastActive"]');
});

test('a list whose next page fails says so, sends no request until "Try again", and then shows the next rows', async ({
  server,
  page,
}) => {
  for (let count = 0; count < 60; count++) await create(server, 'users', { display_name: `User ${count}` });
  let failures = 0;
  await page.route(/\/internal\/extensions\/users\?.*cursor=/, route => {
    failures++;
    return route.fulfill({ status: 400, json: { code: 'SCHEMA_ERROR', error: 'failed' } });
  });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  const failure = main(page).getByText('This could not be loaded');
  await table(page).getByRole('row').last().scrollIntoViewIfNeeded();
  await failure.waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => failures).toBe(2);
  await failure.waitFor();

  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await failure.waitFor({ state: 'detached' });
  await main(page)
    .getByText(/\d in total$/)
    .waitFor();
});

test('control 108: in a long list the focused row is never behind the header of the table', async ({
  server,
  page,
}) => {
  for (let count = 0; count < 30; count++) await create(server, 'users', { display_name: `User ${count}` });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  await page.getByRole('checkbox', { name: 'Select User 29' }).focus();
  for (let count = 0; count < 40; count++) await page.keyboard.press('Tab');
  const hidden: string[] = [];
  for (let count = 0; count < 39; count++) {
    await page.keyboard.press('Shift+Tab');
    const row = await page.evaluate(() => {
      const focused = document.activeElement?.closest('[role=row]');
      const headerEnd = document.querySelector('[role=columnheader]')?.getBoundingClientRect().bottom ?? 0;
      return { name: focused?.textContent, isHidden: (focused?.getBoundingClientRect().top ?? 0) < headerEnd - 1 };
    });
    if (row.isHidden) hidden.push(row.name ?? '');
  }
  expect(hidden).toEqual([]);
});

test('an address that another user has is refused with the way to that user', async ({ server, page }) => {
  await create(server, 'users', { primary_email: 'taken@example.com', primary_email_auth_enabled: true });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  await main(page).getByRole('button', { name: 'Create a user' }).first().click();
  await page.getByRole('textbox', { name: 'Email address' }).fill('taken@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Create a user' }).click();
  await page.getByRole('alert').getByRole('link', { name: 'Find the other user' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await table(page).getByRole('link', { name: 'taken@example.com' }).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('taken@example.com');
});

test('an API key of a user that expires in 200 years is shown as one that never expires', async ({ server, page }) => {
  await configure(server, { allow_user_api_keys: true });
  const person = newPerson();
  const { accessToken } = await register(server, person);
  const body = { user_id: 'me', description: 'Backup', expires_at_millis: Date.now() + 200 * 365 * 24 * 3_600_000 };
  expect((await call(server, 'POST /user-api-keys', { accessToken, body })).ok).toBe(true);
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users?q=${person.email}`);
  await table(page).getByRole('link', { name: person.email }).click();
  const key = region(page, 'API keys').getByRole('listitem').filter({ hasText: 'Backup' });
  await key.getByText('never expires').waitFor();
});

test('the open page of a user says within half a minute that the account was deleted elsewhere', async ({
  server,
  page,
}) => {
  await configure(server, { client_user_deletion_enabled: true });
  const person = newPerson();
  const { accessToken } = await register(server, person);
  await page.clock.install();
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users?q=${person.email}`);
  await table(page).getByRole('link', { name: person.email }).click();
  await page.getByRole('heading', { name: person.email, level: 1 }).waitFor();
  expect((await call(server, 'DELETE /users/me', { accessToken })).ok).toBe(true);
  await page.clock.fastForward(30_000);
  await page.getByRole('heading', { name: 'There is no such user' }).waitFor();
  await expectAccessible(page);
});

test('the open page of a user whose next read fails stays as it is, below the banner about the server', async ({
  server,
  page,
}) => {
  const { email } = newPerson();
  await create(server, 'users', { primary_email: email });
  await page.clock.install();
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users?q=${email}`);
  await table(page).getByRole('link', { name: email }).click();
  const name = region(page, 'Profile').getByRole('textbox', { name: 'Display name' });
  await name.fill('Ada');
  await page.route('**/api/v1/**', route => route.fulfill({ status: 502, contentType: 'text/html', body: '' }));
  await page.clock.runFor(40_000);
  await page.getByText('The server does not answer. Values may be old.').waitFor();
  expect(await main(page).getByRole('alert').count()).toBe(0);
  expect(await name.inputValue()).toBe('Ada');
});

async function checkSampleFile(page: Page): Promise<void> {
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
}

async function importFile(page: Page): Promise<void> {
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
}

async function findAndFilter(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'All users' }).click();
  await table(page)
    .getByRole('row', { name: /Ada Lovelace/ })
    .getByText('never', { exact: true })
    .waitFor();
  await openFromPalette(page);
  await page.getByRole('button', { name: 'Filters' }).click();
  await main(page).getByText('3 users', { exact: true }).waitFor();
  await page.getByLabel('Signs in with').selectOption('Password');
  await main(page).getByText('1 of 3 users matches', { exact: true }).waitFor();
  await table(page).getByRole('link', { name: 'Bob' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('method')).toBe('password');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel('Email address verified').selectOption('No');
  await page.getByText('No user fulfils these filters.').waitFor();
  await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click();
  await table(page).getByRole('link', { name: 'Bob' }).waitFor();
}

/** Finds a user by a part of the name, of the address and by id, and opens the page of the user with the keyboard. */
async function openFromPalette(page: Page): Promise<void> {
  const found = page.getByRole('option', { name: 'Ada Lovelace · ada@example.com' });
  const palette = page.getByRole('combobox', { name: 'Command palette' });
  await page.keyboard.press('Control+k');
  await palette.fill('lovel');
  await found.waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await palette.fill('lovelx');
  await found.waitFor({ state: 'detached' });
  await palette.fill('ada@exam');
  await found.waitFor();
  while ((await found.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor();
  await page.getByText(/Signed up .* · Last active never/).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.keyboard.press('Control+k');
  await palette.fill(id);
  await found.waitFor();
  await page.keyboard.press('Escape');
  await page.goBack();
  await table(page).waitFor();
}

async function exportUsers(page: Page): Promise<void> {
  const csvButton = page.getByRole('button', { name: 'Export CSV' });
  const [download] = await Promise.all([page.waitForEvent('download'), csvButton.press('Enter')]);
  expect(await readFile(await download.path(), 'utf8')).toContain("'=1+1");
  await page.getByText('users were exported').waitFor();
  await csvButton.and(page.locator(':focus')).waitFor();

  // The second click of a double click does not stop the export.
  const lines = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export JSON' }).dblclick();
  expect((await lines).suggestedFilename()).toMatch(/\.jsonl$/);
}

async function deleteAndUndo(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: /Bob/ }).check();
  await page.getByRole('button', { name: 'Delete 1 user' }).click();
  const deletion = page.getByRole('dialog');
  await deletion.getByLabel('Type “Bob” to confirm').fill('Bob');
  await deletion.getByRole('button', { name: 'Delete 1 user' }).click();
  // The pointer on the toast stops its countdown.
  await page.getByRole('button', { name: 'Undo' }).hover();
  await table(page).getByRole('link', { name: 'Bob' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await table(page).getByRole('link', { name: 'Bob' }).waitFor();
}

/** The order of the list survives a reload of the page of a user. */
async function openUserAndCreateLink(page: Page): Promise<void> {
  await page.getByLabel('Order').selectOption('Oldest first');
  await table(page).getByRole('link', { name: 'Ada Lovelace' }).click();
  await page.reload();
  await page.getByRole('link', { name: 'All users' }).click();
  await table(page).waitFor();
  expect(new URL(page.url()).searchParams.get('order')).toBe('oldest');
  await table(page).getByRole('link', { name: 'Ada Lovelace' }).click();
  await page.getByRole('button', { name: 'Create a sign-in link' }).click();
  await page.getByText(/localhost:3000\/handler\/magic-link-callback\?code=/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
}

async function actAsUser(page: Page): Promise<void> {
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
}

async function createUser(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create a user' }).first().click();
  const creation = page.getByRole('dialog', { name: 'Create a user' });
  await creation.getByLabel('Display name').fill('Grace');
  await creation.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await creation.getByRole('button', { name: 'Create a user' }).click();
  await creation.getByText('A password needs an email address to sign in with.').waitFor();
  await creation.getByLabel('Email address').fill('grace@example.com');
  expect(await violationsOf(page)).toEqual([]);
  await creation.getByRole('button', { name: 'Create a user' }).click();
  await page.getByRole('heading', { name: 'Grace', level: 1 }).waitFor();
}

async function changeAddresses(page: Page): Promise<void> {
  const addresses = region(page, 'Email addresses');
  const row = (address: string) => addresses.getByRole('listitem').filter({ hasText: address });
  const act = async (address: string, action: string) => {
    await addresses.getByRole('button', { name: `Actions for ${address}` }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  await row('grace@example.com').getByText('verified', { exact: true }).waitFor();
  await addresses.getByRole('button', { name: 'Add an address' }).click();
  const addition = page.getByRole('dialog', { name: 'Add an address' });
  await addition.getByLabel('Email address').fill('hopper@example.com');
  await addition.getByLabel('The address is verified').uncheck();
  expect(await violationsOf(page)).toEqual([]);
  await addition.getByRole('button', { name: 'Add an address' }).click();
  await row('hopper@example.com').getByText('not verified').waitFor();
  await act('hopper@example.com', 'Send a verification email');
  await page.getByRole('dialog').getByLabel('Port of your app').fill('4000');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Send the email' }).click();
  await page.getByText('The email to hopper@example.com was sent').waitFor();
  await act('hopper@example.com', 'Mark as verified');
  await row('hopper@example.com').getByText('verified', { exact: true }).waitFor();
  await act('hopper@example.com', 'Make it the primary address');
  await row('hopper@example.com').getByText('primary', { exact: true }).waitFor();
  await act('grace@example.com', 'Remove');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row('grace@example.com').waitFor({ state: 'detached' });
}

async function changePassword(page: Page): Promise<void> {
  const methods = region(page, 'Sign-in methods');
  await methods.getByRole('button', { name: 'Change the password' }).click();
  const change = page.getByRole('dialog', { name: 'Change the password' });
  await change.getByLabel('Password', { exact: true }).fill('short');
  await change.getByRole('button', { name: 'Change the password' }).click();
  await change.getByText('Use at least 8 characters.').waitFor();
  await change.getByLabel('Password', { exact: true }).fill('correct horse staple');
  await change.getByRole('button', { name: 'Change the password' }).click();
  await change.waitFor({ state: 'detached' });
  await methods.getByRole('button', { name: 'Remove the password' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the password' }).click();
  await methods.getByRole('button', { name: 'Set a password' }).waitFor();
}

async function addToTeamAndRemove(page: Page): Promise<void> {
  const teams = region(page, 'Teams');
  await teams.getByRole('button', { name: 'Add to a team' }).click();
  await page.getByRole('button', { name: 'Add to Engines' }).click();
  await page.getByRole('dialog').getByText('is in this team').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await teams.getByRole('link', { name: 'Engines' }).waitFor();
  await teams.getByRole('button', { name: 'Remove from Engines' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await teams.getByText('This user is in no team.').waitFor();
}

async function grantProjectPermission(page: Page): Promise<void> {
  const permissions = region(page, 'Permissions');
  await permissions.getByRole('button', { name: 'Change the project permissions' }).click();
  await page.getByRole('checkbox', { name: /read_reports/ }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await permissions.getByText('read_reports').waitFor();
}

async function showPermissionsOfTeam(page: Page, team: string): Promise<void> {
  const permissions = region(page, 'Permissions');
  await region(page, 'Teams').getByRole('button', { name: 'Add to a team' }).click();
  await page.getByRole('button', { name: `Add to ${team}` }).click();
  await page.getByRole('dialog').getByText('is in this team').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  const ofTeam = permissions.getByRole('listitem').filter({ has: page.getByRole('heading', { name: team }) });
  await ofTeam.getByText('team_member', { exact: true }).waitFor();
  await expectAccessible(page);
  expect(await ofTeam.getByText('contained in team_member').first().isVisible()).toBe(false);
  await ofTeam.getByText('2 contained permissions').click();
  await ofTeam.getByText('contained in team_member').first().waitFor();
  await expectAccessible(page);
}

test('the page of a user in many teams reads and shows the first 20 of them, and more on demand', async ({
  server,
  page,
}) => {
  const person = newPerson();
  const { accessToken } = await register(server, person);
  const { id } = await (await call(server, 'GET /users/me', { accessToken })).json();
  for (let count = 1; count <= 21; count++) {
    await create(server, 'teams', { display_name: `Crew ${count}`, creator_user_id: id });
  }
  let reads = 0;
  page.on('request', request => {
    if (/[/]team-permissions[?].*team_id=/.test(request.url())) reads++;
  });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users/${id}`);
  const shows = async (panel: string, count: number) => {
    await region(page, panel).getByText(`${count} of 21 teams`).waitFor();
    const crews = region(page, panel).getByText(/^Crew /);
    await expect.poll(() => crews.count()).toBe(count);
  };
  for (const panel of ['Teams', 'Permissions']) await shows(panel, 20);
  expect(reads).toBe(20);
  expect(await violationsOf(page)).toEqual([]);
  for (const panel of ['Teams', 'Permissions']) {
    await region(page, panel).getByRole('button', { name: 'Show more teams' }).click();
    await shows(panel, 21);
  }
});

test('the page of another user does not show what was typed or made on the page of the first', async ({
  server,
  page,
}) => {
  const [first, second] = [newPerson(), newPerson()];
  for (const person of [first, second]) await register(server, person);
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  // A page that was read before opens at once, without a placeholder.
  await table(page).getByRole('link', { name: second.email }).click();
  await page.getByRole('heading', { name: second.email, level: 1 }).waitFor();
  await page.goBack();
  await table(page).getByRole('link', { name: first.email }).click();
  await page.getByRole('heading', { name: first.email, level: 1 }).waitFor();
  const name = page.getByRole('textbox', { name: 'Display name' });
  await name.fill('Ada');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill(second.email);
  await page.getByRole('option', { name: second.email, exact: true }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: second.email, level: 1 }).waitFor();
  expect(await name.inputValue()).toBe('');
});
