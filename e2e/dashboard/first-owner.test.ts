import { makeDataFolder, removeDataFolder } from '@tessera/testing/data-folder';
import { freePort } from '@tessera/testing/free-port';
import { startServerProcess } from '@tessera/testing/server-process';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openProfile } from '../support/chromium.ts';
import { expectAccessible } from '../support/owner.ts';
import { submitSignIn } from '../support/pages.ts';
import { newPerson, type Person } from '../support/people.ts';
import { test as base } from '../support/test.ts';
import { collectTroubles } from '../support/troubles.ts';

/** A new installation in production mode, and the link that its operator reads on the terminal. */
const test = base
  .extend('dataDir', { scope: 'file' }, async ({ chromium: _ }, { onCleanup }) => {
    const dataDir = await makeDataFolder();
    onCleanup(() => removeDataFolder(dataDir));
    return dataDir;
  })
  .extend('installation', { scope: 'file' }, async ({ dataDir, serverEnv }, { onCleanup }) => {
    const port = String(await freePort());
    const server = await startServerProcess({ dataDir, env: { PORT: port, TESSERA_MODE: 'production', ...serverEnv } });
    onCleanup(server.stop);
    const ownerLink = server.lines.find(line => line.includes('/dashboard/first-owner#'));
    if (ownerLink === undefined) throw new Error(`the server printed no owner link:\n${server.lines.join('\n')}`);
    return { url: server.url, ownerLink };
  })
  .extend('context', async ({ browser }, { onCleanup }) => {
    const context = await openProfile(browser);
    onCleanup(() => context.close());
    return context;
  })
  .extend('troubles', ({ context }) => collectTroubles(context))
  .extend('page', ({ context, troubles: _ }): Promise<Page> => context.newPage());

const ownerForm = (page: Page) => page.getByRole('heading', { name: 'Create the owner account' });

async function submitOwner(page: Page, { email, password }: Person): Promise<void> {
  await page.getByRole('textbox', { name: 'Email address' }).fill(email);
  await page.getByLabel('Password', { exact: true }).and(page.locator('input')).fill(password);
  await page.getByRole('button', { name: 'Create the account' }).click();
}

test('in production, the link that the server prints creates the owner of the installation, and works once', async ({
  installation,
  browser,
  page,
  troubles,
}) => {
  const owner = newPerson();
  await page.goto(`${installation.url}/dashboard/`);
  await page.getByRole('heading', { name: 'This installation has no owner yet' }).waitFor();
  await expectAccessible(page);

  // A second person opens the link before the first one has used it.
  const profile = await openProfile(browser);
  const late = await profile.newPage();
  await late.goto(installation.ownerLink);
  await ownerForm(late).waitFor();

  await page.goto(installation.ownerLink);
  await ownerForm(page).waitFor();
  await expectAccessible(page);
  await submitOwner(page, { ...owner, password: 'short' });
  await page.getByText('Use at least 8 characters.').waitFor();
  await submitOwner(page, owner);
  await page.getByRole('heading', { name: 'Your projects' }).waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Create a project' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Lighthouse');
  await page.getByRole('button', { name: 'Create a project' }).click();
  await page.getByRole('heading', { name: 'Get started' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Get started' }).waitFor();
  expect(troubles).toEqual([]);

  await submitOwner(late, newPerson());
  await late.setViewportSize({ width: 390, height: 844 });
  await late.getByText('This code has already been used.').waitFor();
  await late.reload();
  await late.getByRole('heading', { name: 'This installation has an owner' }).waitFor();
  await expectAccessible(late);

  // The owner signs in on another computer.
  await late.getByRole('button', { name: 'Sign in' }).click();
  await submitSignIn(late, owner);
  await late.getByRole('link', { name: /^Lighthouse/ }).waitFor();
  await profile.close();
});
