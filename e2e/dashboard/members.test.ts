import { readKeyFile } from '@tessera/testing/data-folder';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { register } from '../support/api.ts';
import { openProfile } from '../support/chromium.ts';
import { mailTo } from '../support/mail.ts';
import { expectAccessible, test } from '../support/owner.ts';
import { newPerson, type Person } from '../support/people.ts';
import type { TesseraServer } from '../support/tessera-server.ts';

const members = (page: Page) => page.getByRole('region', { name: 'Members' });

/** The link in the email of an invitation; its code is in the fragment. */
function invitationLink(text: string): string {
  const [link] = /https?:\/\/\S+\/dashboard\/invitation#code=\w+/.exec(text) ?? [];
  if (link === undefined) throw new Error(`there is no link in: ${text}`);
  return link;
}

test('an owner invites a viewer, who signs up and cannot change anything', async ({
  server,
  browser,
  page,
  troubles,
}) => {
  await createProject(page, server.url);
  await createTeam(page);
  const { guest } = await inviteViewer({ server, browser, page });
  await expectReadOnly(guest);
  await expectReadOnlyLists(guest);
  expect(troubles).toEqual([]);
});

test('a viewer who is made an admin writes, and becomes the owner', async ({ server, browser, page, troubles }) => {
  await createProject(page, server.url);
  const { guest, person } = await inviteViewer({ server, browser, page });
  await guest.getByRole('button', { name: 'Switch project: Pier' }).waitFor();
  await makeAdmin(page, 'Grace');
  await renameProject(guest);
  await transferOwnership(page);
  await mailTo(server, person.email, /Pier two/);
  await leaveProject(page);
  expect(troubles).toEqual([]);
});

test('a used or incomplete invitation link says so', async ({ server, page }) => {
  await page.goto(`${server.url}/dashboard/invitation`);
  await page.getByText('The link is incomplete.').waitFor();
  await page.goto(`${server.url}/dashboard/`);
  await page.goto(`${server.url}/dashboard/invitation#code=${'a'.repeat(45)}`);
  await page.getByRole('heading', { name: 'This invitation cannot be used' }).waitFor();
  await expectAccessible(page);
});

test('an owner sends an invitation again, whose earlier link ends', async ({ server, page, troubles }) => {
  await createProject(page, server.url);
  const person = newPerson();
  await invite(page, person);
  const earlier = invitationLink((await mailTo(server, person.email, /invited you to Pier/)).text);
  await members(page)
    .getByRole('button', { name: `Send again: the invitation to ${person.email}` })
    .click();
  await page.getByText(`${person.email} has a new invitation.`).waitFor();
  expect(
    await members(page)
      .getByRole('button', { name: /^Revoke the invitation/ })
      .count(),
  ).toBe(1);
  await page.goto(earlier);
  await page.getByRole('heading', { name: 'This invitation cannot be used' }).waitFor();
  expect(troubles).toEqual([]);
});

test('an account that was created beside the invitation learns how to accept it', async ({
  server,
  browser,
  owner,
  page,
}) => {
  await createProject(page, server.url);
  const grace = newPerson();
  await invite(page, grace);
  const { projects } = await readKeyFile(server.dataDir);
  if (projects.internal === undefined) throw new Error('the key file has no project internal');
  const keys = { projectId: 'internal', ...projects.internal };
  const { refreshToken } = await register({ url: server.url, keys }, grace);
  const context = await openProfile(browser);
  onTestFinished(() => context.close());
  await context.addCookies([{ ...owner.cookie, value: refreshToken }]);
  const guest = await context.newPage();
  await guest.goto(`${server.url}/dashboard/`);
  await guest.getByText('Open the link in the invitation email and accept it').waitFor();
  await expectAccessible(guest);
});

/** A project with one user. */
async function createProject(page: Page, serverUrl: string): Promise<void> {
  await page.goto(`${serverUrl}/dashboard/new-project`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Pier');
  await page.getByRole('button', { name: 'Create a project' }).click();
  await page.getByRole('heading', { name: 'Get started' }).waitFor();
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('button', { name: 'Create a user' }).first().click();
  await page.getByRole('textbox', { name: 'Email address' }).fill('ada@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Create a user' }).click();
  await page.getByRole('heading', { name: 'ada@example.com', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Project settings', exact: true }).click();
}

/** A team with the user. */
async function createTeam(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Teams' }).click();
  await page.getByRole('button', { name: 'Create a team' }).first().click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Crew');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Add a member' }).click();
  await page.getByRole('searchbox', { name: /^Find a user/ }).fill('ada');
  await page.getByRole('button', { name: 'Add ada@example.com to the team' }).click();
  await page.getByRole('dialog').getByText('member', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'Project settings', exact: true }).click();
}

interface Inviting {
  readonly server: TesseraServer;
  readonly browser: Browser;
  /** The open settings of the project. */
  readonly page: Page;
}

/** A person who was invited and has signed up. @returns the person, and the page in a browser profile of its own */
async function inviteViewer({ server, browser, page }: Inviting): Promise<{ person: Person; guest: Page }> {
  const person = newPerson();
  await invite(page, person);
  const { text } = await mailTo(server, person.email, /invited you to Pier/);
  const context = await openProfile(browser);
  onTestFinished(() => context.close());
  const guest = await context.newPage();
  await signUpInvited(guest, { link: invitationLink(text), person });
  return { person, guest };
}

async function invite(page: Page, { email }: Person): Promise<void> {
  await members(page).getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Email address' }).fill(email);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  await members(page)
    .getByRole('button', { name: `Revoke the invitation of ${email}` })
    .waitFor();
  await expectAccessible(page);
}

async function signUpInvited(page: Page, { link, person }: { link: string; person: Person }): Promise<void> {
  await page.goto(link);
  await page.getByRole('heading', { name: 'Join Pier' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  await page.getByLabel('Password', { exact: true }).and(page.locator('input')).fill(person.password);
  await page.getByRole('button', { name: 'Create the account and accept' }).click();
}

async function expectReadOnly(page: Page): Promise<void> {
  // The dashboard opens the project of the invitation.
  await page.getByRole('button', { name: 'Switch project: Pier' }).waitFor();
  await page.getByRole('link', { name: 'Project settings', exact: true }).click();
  await page.getByText('You are a viewer of this project.').waitFor();
  expect(await page.getByRole('switch', { name: 'Users can create teams' }).isDisabled()).toBe(true);
  expect(await page.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Delete the project' }).count()).toBe(0);
  await members(page).getByRole('button', { name: 'Leave the project' }).waitFor();
  expect(await members(page).getByRole('button', { name: 'Invite' }).count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('switch', { name: 'A passkey is both factors' }).waitFor();
  const controls = page.getByRole('main').locator('input, select');
  expect(await controls.evaluateAll(all => all.filter(one => one.matches(':enabled')).length)).toBe(0);
}

async function expectReadOnlyLists(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign-in methods' }).click();
  await page.getByRole('button', { name: 'Set up Spotify', disabled: true }).waitFor();
  await page.getByRole('link', { name: 'Teams' }).click();
  await page.getByRole('link', { name: 'Crew' }).click();
  await page.getByRole('button', { name: 'Permissions of ada@example.com in this team' }).click();
  await page.getByRole('checkbox', { name: /^team_admin/, disabled: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Users' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Create a user' }).first().isDisabled()).toBe(true);
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await page.getByRole('region', { name: 'Sessions' }).getByText('This user is not signed in anywhere.').waitFor();
  await page.getByRole('region', { name: 'Activity' }).getByRole('listitem').first().waitFor();
  expect(await page.getByRole('region', { name: 'Emails' }).count()).toBe(0);
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.getByRole('link', { name: 'Emails' }).click();
  await page.getByRole('heading', { name: 'Only admins and owners can see this' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.getByRole('link', { name: 'Messages' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Write a message' }).isDisabled()).toBe(true);
  await page.goto(page.url().replace(/messages.*$/, 'messages/new'));
  await page.getByRole('heading', { name: 'Only admins and owners can see this' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await expectAccessible(page);
}

async function makeAdmin(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.reload();
  await members(page)
    .getByRole('button', { name: `Change the role of ${name}` })
    .click();
  await dialog.getByRole('combobox', { name: 'Role' }).selectOption('Admin');
  await dialog.getByRole('button', { name: 'Save' }).click();
  // Its choice of roles has the same words.
  await dialog.waitFor({ state: 'detached' });
  await members(page).getByText('Admin', { exact: true }).waitFor();
  await expectAccessible(page);
}

/** Contains a right-to-left override, a character that no keyboard enters. */
async function renameProject(page: Page): Promise<void> {
  await page.reload();
  await page.getByRole('link', { name: 'Project settings', exact: true }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('\u202ePier two');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Switch project: Pier two' }).waitFor();
}

async function transferOwnership(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.reload();
  await members(page).getByRole('button', { name: 'Transfer ownership' }).click();
  await dialog.getByRole('textbox').fill('Pier');
  await dialog.getByRole('button', { name: 'Transfer ownership' }).click();
  await dialog.getByText('Type “Pier two” exactly as shown.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('textbox').fill('Pier two');
  await dialog.getByRole('button', { name: 'Transfer ownership' }).click();
  await page.getByText('Only an owner can delete this project.').waitFor();
}

async function leaveProject(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await members(page).getByRole('button', { name: 'Leave the project' }).click();
  await dialog.getByRole('heading', { name: /Pier two/ }).waitFor();
  expect(await dialog.textContent()).not.toContain('\u202e');
  await dialog.getByRole('button', { name: 'Leave the project' }).click();
  await page.getByRole('heading', { name: 'Your projects' }).waitFor();
  await page.getByRole('link', { name: /^Pier two/ }).waitFor({ state: 'detached' });
}
