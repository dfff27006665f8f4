import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, test } from '../support/owner.ts';

/** A switch shows the new value at once. A page that is left before the answer comes may lose the change. */
const saved = (toggle: Locator) => toggle.and(toggle.page().locator('[aria-busy="false"]')).waitFor();

test('control 107: an owner renames a project, follows a check to the page that mends it, goes to production and deletes the project', async ({
  server,
  page,
  troubles,
}) => {
  await page.goto(`${server.url}/dashboard/new-project`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Harbour');
  await page.getByRole('button', { name: 'Create a project' }).click();
  await page.getByRole('heading', { name: 'Get started' }).waitFor();

  await page.getByRole('link', { name: 'Project settings' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter a name.').waitFor();
  await name.fill('Harbour two');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Switch project: Harbour two' }).waitFor();
  const teams = page.getByRole('switch', { name: 'Users can create teams' });
  await teams.check();
  await saved(teams);
  await expectAccessible(page);

  const mode = page.getByRole('switch', { name: 'This project is in production mode' });
  expect(await mode.isDisabled()).toBe(true);
  await page.getByText(/^Localhost is not allowed in production mode/).waitFor();
  await page.getByRole('link', { name: 'Open the domains' }).first().click();
  const localhost = page.getByRole('switch', { name: 'Allow localhost' });
  await localhost.uncheck();
  await saved(localhost);
  await page.goBack();
  await mode.check();
  await saved(mode);
  await page.getByText('No domain is trusted, so no site can use this project.').waitFor();
  await page.reload();
  expect(await mode.isChecked()).toBe(true);
  expect(await teams.isChecked()).toBe(true);

  await page.getByRole('button', { name: 'Delete the project' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Harbour two?' });
  await dialog.getByRole('textbox').fill('Harbour');
  await dialog.getByRole('button', { name: 'Delete the project' }).click();
  await dialog.getByText('Type “Harbour two” exactly as shown.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('textbox').fill('Harbour two');
  await dialog.getByRole('button', { name: 'Delete the project' }).click();
  await page.getByRole('heading', { name: 'Your projects' }).waitFor();
  await page.getByRole('link', { name: /^Demo/ }).waitFor();
  await page.getByRole('link', { name: /^Harbour/ }).waitFor({ state: 'detached' });
  expect(troubles).toEqual([]);
});

test('the project that holds the accounts of the owners cannot be deleted in the dashboard', async ({
  server,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/internal/settings`);
  await page.getByText('It cannot be deleted here.').waitFor();
  expect(await page.getByRole('button', { name: 'Delete the project' }).count()).toBe(0);
});
