import { expect } from 'vitest';
import { call } from '../support/api.ts';
import { expectAccessible, test } from '../support/owner.ts';
import { waitUntilSaved } from '../support/pages.ts';

/** A PNG with one blue pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWNwtjgFAAIHAUbWo43KAAAAAElFTkSuQmCC',
  'base64',
);

test('an owner uploads a logo, which apps get the URL of, and removes it', async ({ server, page, troubles }) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/settings`);
  await page.getByText('No logo. Users see the name of the project.').waitFor();
  const file = page.getByLabel('Logo file');
  await file.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
  await page.getByText('Choose a PNG, JPEG, GIF or WebP file.').waitFor();
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
  await page.getByText(/logo_url must be a PNG/).waitFor();
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png });
  const logo = page.getByRole('img', { name: 'Logo of Demo' });
  await logo.waitFor();
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await expectAccessible(page);
  const project = await (await call(server, 'GET /projects/current')).json();
  expect(project.logo_url).toBe(await logo.getAttribute('src'));
  expect(project.logo_url).toMatch(`${server.url}/api/v1/images/${server.keys.projectId}/`);

  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('No logo. Users see the name of the project.').waitFor();
  expect(await (await call(server, 'GET /projects/current')).json()).not.toHaveProperty('logo_url');
  expect(troubles).toEqual([]);
});

test('control 107: an owner renames a project, follows a check to the page of its setting, goes to production and deletes the project', async ({
  server,
  page,
  troubles,
}) => {
  await page.goto(`${server.url}/dashboard/new-project`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Harbour');
  await page.getByRole('button', { name: 'Create a project' }).click();
  await page.getByRole('heading', { name: 'Get started' }).waitFor();

  await page.getByRole('link', { name: 'Project settings', exact: true }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter a name.').waitFor();
  await name.fill('Harbour two');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Switch project: Harbour two' }).waitFor();
  const teams = page.getByRole('switch', { name: 'Users can create teams' });
  await teams.check();
  await waitUntilSaved(teams);
  await expectAccessible(page);

  const mode = page.getByRole('switch', { name: 'This project is in production mode' });
  await page
    .getByText(/^Localhost is not allowed in production mode, turn off “Allow localhost” in Domains$/)
    .waitFor();
  expect(await mode.isDisabled()).toBe(true);
  await page.getByRole('link', { name: 'Open the domains' }).first().click();
  const localhost = page.getByRole('switch', { name: 'Allow localhost' });
  await localhost.uncheck();
  await waitUntilSaved(localhost);
  await page.goBack();
  await mode.check();
  await waitUntilSaved(mode);
  await page.getByText('No domain is trusted: sites other than localhost cannot use this project.').waitFor();
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

test('what an owner types into the description stays when another owner renames the project', async ({
  server,
  context,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/settings`);
  const description = page.getByRole('textbox', { name: 'Description' });
  await description.fill('Bookings of the ferry');

  const other = await context.newPage();
  await other.goto(page.url());
  const name = other.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Ferry line');
  await name.press('Enter');
  await other.getByRole('button', { name: /Ferry line/ }).waitFor();
  await page.getByRole('switch', { name: 'Users can create teams' }).click();
  await page.getByRole('button', { name: /Ferry line/ }).waitFor();
  expect(await description.inputValue()).toBe('Bookings of the ferry');
});

test('the project that holds the accounts of the owners cannot be deleted in the dashboard', async ({
  server,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/internal/settings`);
  await page.getByText('It cannot be deleted here.').waitFor();
  expect(await page.getByRole('button', { name: 'Delete the project' }).count()).toBe(0);
});
