import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { openProfile } from '../support/chromium.ts';
import { registerInBrowser, shelf, submitSignUp } from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { test } from '../support/test.ts';

/** The cookies of the owner, for the later tests of this file. */
let ownerState: Awaited<ReturnType<BrowserContext['storageState']>>;

const main = (page: Page) => page.getByRole('main');

test('the first visitor owns the installation, creates a project, makes keys, and manages a user by keyboard and mouse', async ({
  server,
  context,
  page,
  troubles,
}) => {
  await page.goto(`${server.url}/dashboard/`);
  await page.getByText('The first account that you create owns this installation.').waitFor();
  await submitSignUp(page, newPerson());
  await page.getByRole('heading', { name: 'Your projects' }).waitFor();
  await page.getByRole('link', { name: /^Demo/ }).waitFor();
  ownerState = await context.storageState();
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('link', { name: 'Create a project' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Lighthouse');
  await page.getByRole('checkbox', { name: 'GitHub' }).check();
  await page.getByRole('figure').getByText('Lighthouse').waitFor();
  await page.getByRole('figure').getByText('Sign in with GitHub').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create a project' }).click();

  await page.getByRole('heading', { name: 'Get started' }).waitFor();
  await page.getByRole('button', { name: 'Create a set of keys' }).click();
  await page.getByText(/VITE_TESSERA_PUBLISHABLE_CLIENT_KEY=pck_/).waitFor();
  await page.getByText(/^npm install .*\/tessera-protocol-.*\/tessera-client-.*\/tessera-react-/m).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Add the code' }).getByText('Not yet').waitFor();
  await page.getByText('without a mail server delivers nothing').waitFor();
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('heading', { name: 'No users yet' }).waitFor();
  await main(page).getByRole('button', { name: 'Create a user' }).first().click();
  await page.getByRole('textbox', { name: 'Email address' }).fill('grace@example.com');
  await page.getByRole('textbox', { name: 'Display name' }).fill('Grace Hopper');
  await page.getByRole('button', { name: 'Create a user' }).last().click();
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor();
  await page.getByText('grace@example.com').waitFor();
  await page.getByRole('textbox', { name: 'Client metadata' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('grace');
  await page.getByRole('option', { name: 'Find users: grace', selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'Users' }).getByRole('link', { name: 'Grace Hopper' }).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('grace');
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('checkbox', { name: 'Select Grace Hopper' }).check();
  await page.getByRole('button', { name: 'Delete 1 user' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Grace Hopper');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 user' }).click();
  await page.getByRole('heading', { name: 'No user matches' }).waitFor();
  await page.getByText('1 user was deleted').waitFor();

  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('There are no sign-ups in this range.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(troubles).toEqual([]);
});

test('the code for fetch on the page "Get started" signs up the first user, and the code for Express has a command that reads .env', async ({
  server,
  browser,
}) => {
  const profile = await openProfile(browser, { storageState: ownerState });
  const owner = await profile.newPage();
  await owner.goto(`${server.url}/dashboard/`);
  await owner.getByRole('link', { name: 'Create a project' }).click();
  await owner.getByRole('textbox', { name: 'Name' }).fill('Harbour');
  await owner.getByRole('button', { name: 'Create a project' }).click();
  await owner.getByRole('button', { name: 'Create a set of keys' }).click();
  await owner.getByText(/VITE_TESSERA_PUBLISHABLE_CLIENT_KEY=pck_/).waitFor();

  await owner.getByRole('tab', { name: 'Express' }).click();
  await owner.getByText('node --env-file=.env server.mjs').waitFor();

  await owner.getByRole('tab', { name: 'fetch' }).click();
  const code = (await owner.getByText(/^const response = await fetch\(/).textContent()) ?? '';
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
  expect(stdout).toMatch(/^Signed up as [0-9a-f-]{36}\n$/);
  await owner.getByText('ada@example.com has an account.').waitFor();
  await profile.close();
});

test('an owner who ends the session of a user in the dashboard signs the user out of the app', async ({
  server,
  demo,
  browser,
  page,
}) => {
  const user = newPerson();
  await registerInBrowser(server, page, user);
  await page.goto(`${demo.url}/shelf`);
  await shelf(page).waitFor();

  // In a browser profile of its own: the owner and the user are two people.
  const profile = await openProfile(browser, { storageState: ownerState });
  const owner = await profile.newPage();
  await owner.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users?q=${user.email}`);
  await owner.getByRole('table', { name: 'Users' }).getByRole('link', { name: user.email }).click();
  await owner.getByRole('button', { name: 'End this session' }).click();
  await owner.getByText('This user is not signed in anywhere.').waitFor();
  await profile.close();

  await page.goto(`${demo.url}/account`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
