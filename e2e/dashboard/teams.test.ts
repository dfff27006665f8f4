import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { call, register } from '../support/api.ts';
import { violationsOf } from '../support/axe.ts';
import { test } from '../support/owner.ts';
import { waitForFocus } from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { configure, create } from '../support/project.ts';

const main = (page: Page) => page.getByRole('main');

test('an owner creates a team, adds and invites members, grants permissions, makes a key, and deletes the team', async ({
  server,
  page,
  troubles,
}) => {
  await configure(server, { allow_team_api_keys: true });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  await createUser(page);

  await page.getByRole('link', { name: 'Teams' }).click();
  await page.getByRole('heading', { name: 'No teams yet' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);

  await createTeamByKeyboard(page);
  await saveMetadata(page);
  await saveMetadataInTwoTabs(page);
  await addMember(page);
  await grantPermission(page);
  await inviteAndRevoke(page);
  await createAndRevokeKey(page);

  await page.getByRole('link', { name: 'Grace Hopper' }).click();
  await main(page).getByRole('link', { name: 'Lighthouse keepers' }).click();
  await page.getByRole('button', { name: 'Remove Grace Hopper from the team' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('This team has no member.').waitFor();

  await findAndDeleteTeam(page);
  expect(troubles).toEqual([]);
});

async function createUser(page: Page): Promise<void> {
  await main(page).getByRole('button', { name: 'Create a user' }).first().click();
  await page.getByRole('textbox', { name: 'Email address' }).fill('grace@example.com');
  await page.getByRole('textbox', { name: 'Display name' }).fill('Grace Hopper');
  await page.getByRole('dialog').getByRole('button', { name: 'Create a user' }).click();
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor();
}

async function createTeamByKeyboard(page: Page): Promise<void> {
  const create = page.getByRole('button', { name: 'Create a team' }).first();
  await create.focus();
  await page.keyboard.press('Enter');
  await waitForFocus(page.getByRole('dialog').getByRole('textbox', { name: 'Name' }));
  await page.keyboard.press('Enter');
  await page.getByText('Enter a name.').waitFor();
  await page.keyboard.type('Lighthouse keepers');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Lighthouse keepers', level: 1 }).waitFor();
  await page.getByText('This team has no member.').waitFor();
}

async function saveMetadata(page: Page): Promise<void> {
  const metadata = page.getByRole('textbox', { name: 'Client metadata' });
  await metadata.fill('{ "unfinished"');
  await page.getByRole('tab', { name: 'Server metadata' }).click();
  await page.getByRole('textbox', { name: 'Server metadata' }).waitFor();
  await page.getByRole('tab', { name: 'Client metadata' }).click();
  await metadata.getByText('unfinished').waitFor();
  await metadata.fill('{ "beds": 12 }');
  await page.getByRole('tabpanel').getByRole('button', { name: 'Save' }).click();
  await page.getByText('The metadata was saved').waitFor();
  expect(await violationsOf(page)).toEqual([]);
}

/** The second tab does not know what the first one has saved, and keeps it. */
async function saveMetadataInTwoTabs(page: Page): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(page.url());
  const metadata = (tab: Page) => tab.getByRole('textbox', { name: 'Client metadata' });
  await metadata(other).fill('{ "beds": 12, "boats": 2 }');
  await metadata(page).fill('{ "beds": 13 }');
  for (const tab of [page, other]) {
    // Not the message: that of the step before may still be there.
    const saved = tab.waitForResponse(response => response.request().method() === 'PATCH' && response.ok());
    await tab.getByRole('tabpanel').getByRole('button', { name: 'Save' }).click();
    await saved;
  }
  await metadata(other).getByText('13').waitFor();
  await metadata(other).getByText('boats').waitFor();
  await other.close();
}

async function addMember(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a member' }).click();
  await page.getByRole('searchbox', { name: /^Find a user/ }).fill('grace');
  await page.getByRole('button', { name: 'Add Grace Hopper to the team' }).click();
  await page.getByRole('dialog').getByText('member', { exact: true }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('1 member', { exact: true }).waitFor();
}

async function grantPermission(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Permissions of Grace Hopper in this team' }).click();
  await page.getByRole('checkbox', { name: /^team_member/, checked: true }).waitFor();
  await page.getByRole('checkbox', { name: /^team_admin/ }).check();
  await page.getByRole('checkbox', { name: /\$delete_team.*also contained in team_admin/ }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('The permissions were saved').waitFor();
  await page.getByRole('button', { name: 'Permissions of Grace Hopper in this team' }).click();
  await page.getByRole('checkbox', { name: /^team_admin/, checked: true }).waitFor();
  await page.keyboard.press('Escape');
}

async function inviteAndRevoke(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Invite by email' }).click();
  await page.getByRole('textbox', { name: 'Email address' }).fill('ada@example.com');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await page.getByRole('button', { name: 'Send again: the invitation to ada@example.com' }).click();
  await page.getByText('The earlier link does not work any more.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Send the invitation' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Revoke the invitation to ada@example.com' }).click();
  await page.getByText('There is no open invitation.').waitFor();
}

async function createAndRevokeKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create an API key' }).click();
  await page.getByRole('textbox', { name: 'What it is for' }).fill('Nightly export');
  await page.getByRole('dialog').getByRole('button', { name: 'Create an API key' }).click();
  await page.getByText('Copy it now. It is shown only once.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('button', { name: 'Revoke the key “Nightly export”' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('revoked', { exact: true }).waitFor();
}

async function findAndDeleteTeam(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'All teams' }).click();
  await page.getByRole('searchbox').fill('zebra');
  await page.getByRole('heading', { name: 'No team matches' }).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('zebra');
  await page.getByRole('searchbox').fill('LIGHT');
  await page.getByRole('table', { name: 'Teams' }).getByRole('link', { name: 'Lighthouse keepers' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('link', { name: 'Lighthouse keepers' }).click();
  await page.getByRole('button', { name: 'Delete the team' }).click();
  await page.getByRole('textbox', { name: /^Type/ }).fill('Lighthouse keepers');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the team' }).click();
  await page.getByRole('heading', { name: 'No teams yet' }).waitFor();
}

test('a team is deleted without a question about the unsaved change of its name', async ({ server, page }) => {
  await create(server, 'teams', { display_name: 'Dinghy' });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/teams`);
  await page.getByRole('table').getByRole('link', { name: 'Dinghy' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Skiff');
  await page.getByRole('button', { name: 'Delete the team' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Dinghy');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the team' }).click();
  await page.getByText('Dinghy was deleted').waitFor();
  await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('the open page of a team says within half a minute that the team was deleted elsewhere', async ({
  server,
  context,
  page,
}) => {
  await page.clock.install();
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/teams`);
  await page.getByRole('button', { name: 'Create a team' }).first().click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Ferry');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Ferry', level: 1 }).waitFor();

  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Delete the team' }).click();
  await other.getByRole('textbox', { name: /^Type/ }).fill('Ferry');
  await other.getByRole('dialog').getByRole('button', { name: 'Delete the team' }).click();
  await other.getByRole('heading', { name: 'Teams', level: 1 }).waitFor();
  await page.clock.fastForward(30_000);
  await page.getByRole('heading', { name: 'There is no such team' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

test('the open page of a team shows within half a minute who was invited and who joined elsewhere', async ({
  server,
  page,
}) => {
  const member = newPerson();
  const { accessToken } = await register(server, member);
  const { id } = await (await call(server, 'GET /users/me', { accessToken })).json();
  await page.clock.install();
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/teams`);
  await page.getByRole('button', { name: 'Create a team' }).first().click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Tug');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByText('This team has no member.').waitFor();
  await page.getByText('There is no open invitation.').waitFor();

  const teamId = new URL(page.url()).pathname.split('/').at(-1);
  const invited = newPerson();
  const callback_url = 'http://localhost:3000/handler/team-invitation';
  await create(server, `team-memberships/${teamId}/${id}`, {});
  await create(server, 'team-invitations/send-code', { team_id: teamId, email: invited.email, callback_url });
  await page.clock.fastForward(30_000);
  await main(page).getByRole('link', { name: member.email }).waitFor();
  await main(page).getByText(invited.email).waitFor();
});

test('a right-to-left override in the name of a team changes no heading, list or window title', async ({
  server,
  page,
  troubles,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/teams`);
  await page.getByRole('button', { name: 'Create a team' }).first().click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('\u202eevil.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: /^evil\.com$/, level: 1 }).waitFor();
  await expect.poll(() => page.title()).toMatch(/^evil\.com ·/);
  await page.getByRole('link', { name: 'All teams' }).click();
  await main(page)
    .getByRole('link', { name: /^evil\.com$/ })
    .waitFor();
  expect(await main(page).textContent()).not.toContain('\u202e');
  expect(troubles).toEqual([]);
});

test('pages of a team and of a user without API keys lead to the switches that offer the keys', async ({
  server,
  page,
}) => {
  await configure(server, { allow_user_api_keys: false, allow_team_api_keys: false });
  const { email } = newPerson();
  await create(server, 'teams', { display_name: 'Slipway' });
  await create(server, 'users', { primary_email: email });
  const project = `${server.url}/dashboard/projects/${server.keys.projectId}`;
  const pages = [
    ['teams', 'Slipway', 'Teams can create API keys'],
    ['users', email, 'Users can create API keys'],
  ] as const;
  for (const [path, item, name] of pages) {
    await page.goto(`${project}/${path}`);
    await page.getByRole('table').getByRole('link', { name: item }).click();
    await page.getByRole('link', { name: 'Switch them on in the project settings' }).click();
    await page.getByRole('switch', { name }).waitFor();
  }
});
