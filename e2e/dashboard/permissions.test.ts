import { expect } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { expectAccessible, test } from '../support/owner.ts';
import { typeInto } from '../support/pages.ts';

test('an owner defines permissions that contain others, is refused a cycle, sets defaults, and deletes a permission', async ({
  server,
  page,
  troubles,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/permissions`);
  await page.getByRole('button', { name: 'Edit the permission team_admin' }).waitFor();
  await page.getByText('No permission is defined here.').waitFor();
  expect(await violationsOf(page)).toEqual([]);

  // By keyboard only.
  await page.getByRole('button', { name: 'Define a project permission' }).focus();
  await page.keyboard.press('Enter');
  await typeInto(page.getByRole('textbox', { name: 'Id' }), 'Read');
  await page.keyboard.press('Enter');
  await page.getByText('Use only the characters').waitFor();
  await page.getByRole('textbox', { name: 'Id' }).fill('read');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Edit the permission read' }).waitFor();

  await page.getByRole('button', { name: 'Define a project permission' }).click();
  await page.getByRole('textbox', { name: 'Id' }).fill('write');
  await page.getByRole('textbox', { name: 'Description' }).fill('Change records');
  await page.getByRole('checkbox', { name: 'read', exact: true }).check();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  const outline = page.getByRole('region', { name: 'In the whole project' });
  await outline.getByRole('listitem').filter({ hasText: 'write' }).getByRole('listitem').getByText('read').waitFor();
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('button', { name: 'Edit the permission read' }).click();
  const refused = page.getByRole('checkbox', { name: /^write.*contains read, so read cannot contain it/ });
  expect(await refused.isDisabled()).toBe(true);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Edit the default permissions: A new user' }).click();
  await page.getByRole('checkbox', { name: 'write' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  const defaults = page.getByRole('region', { name: 'Granted by default' });
  await defaults.getByText('write', { exact: true }).waitFor();
  // A dialog that closes moves the focus, and with it the text of the next field.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('searchbox').fill('RECORDS');
  await page.getByRole('button', { name: 'Edit the permission read' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete the permission write' }).click();
  await page.getByRole('textbox', { name: /^Type/ }).fill('write');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await outline.getByText('No permission matches.').waitFor();
  await defaults.getByText('write', { exact: true }).waitFor({ state: 'detached' });
  expect(troubles).toEqual([]);
});

test('the permissions page and the form of a definition say what contained permissions allow', async ({
  server,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/permissions`);
  const teams = page.getByRole('region', { name: 'In a team' });
  const allowed = teams.getByText('Create, see and revoke the API keys of the team');
  await allowed.waitFor();
  expect(await allowed.count()).toBe(1);
  await page.getByRole('button', { name: 'Define a team permission' }).click();
  await page.getByRole('checkbox', { name: /^\$manage_api_keys.*Create, see and revoke/ }).waitFor();
  await expectAccessible(page);
});

test('a permission with an id of 255 characters is a default permission, and the page fits a phone', async ({
  server,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/permissions`);
  const id = 'r'.repeat(255);
  await page.getByRole('button', { name: 'Define a project permission' }).click();
  await page.getByRole('textbox', { name: 'Id' }).fill(id);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Edit the default permissions: A new user' }).click();
  await page.getByRole('checkbox', { name: id }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Granted by default' }).getByText(id).waitFor();
  await expectAccessible(page);
});

test('a change of the default permissions removes the id of one that another program has renamed', async ({
  server,
  page,
}) => {
  const renamed = await fetch(`${server.url}/api/v1/team-permission-definitions/team_member`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      'x-stack-access-type': 'admin',
      'x-stack-project-id': server.keys.projectId,
      'x-stack-super-secret-admin-key': server.keys.superSecretAdminKey,
    },
    body: JSON.stringify({ id: 'crew' }),
  });
  expect(renamed.status).toBe(200);
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/permissions`);
  const defaults = page.getByRole('region', { name: 'Granted by default' });

  await defaults.getByText('team_member', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit the default permissions: A new member of a team' }).click();
  await page.getByRole('checkbox', { name: 'crew', exact: true }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await defaults.getByText('crew', { exact: true }).waitFor();
  await defaults.getByText('team_member', { exact: true }).waitFor({ state: 'detached' });
});
