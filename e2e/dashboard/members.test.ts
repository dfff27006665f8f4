import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { openProfile } from '../support/chromium.ts';
import { mailTo } from '../support/mail.ts';
import { expectAccessible, test } from '../support/owner.ts';
import { newPerson } from '../support/people.ts';

const members = (page: Page) => page.getByRole('region', { name: 'Members' });

/** The link in the email of an invitation; its code is in the fragment. */
function invitationLink(text: string): string {
  const [link] = /https?:\/\/\S+\/dashboard\/invitation#code=\w+/.exec(text) ?? [];
  if (link === undefined) throw new Error(`there is no link in: ${text}`);
  return link;
}

test('an owner invites a viewer, who signs up and reads; as an admin the member writes, and becomes the owner', async ({
  server,
  browser,
  page,
  troubles,
}) => {
  await page.goto(`${server.url}/dashboard/new-project`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Pier');
  await page.getByRole('button', { name: 'Create a project' }).click();
  await page.getByRole('heading', { name: 'Get started' }).waitFor();
  await page.getByRole('link', { name: 'Project settings' }).click();

  const grace = newPerson();
  await members(page).getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Email address' }).fill(grace.email);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  await members(page)
    .getByRole('button', { name: `Revoke the invitation of ${grace.email}` })
    .waitFor();
  await expectAccessible(page);

  const { text } = await mailTo(server, grace.email, /invited you to manage Pier/);
  const context = await openProfile(browser);
  onTestFinished(() => context.close());
  const guest = await context.newPage();
  await guest.goto(invitationLink(text));
  await guest.getByRole('heading', { name: 'Join Pier' }).waitFor();
  await expectAccessible(guest);
  await guest.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  await guest.getByLabel('Password', { exact: true }).and(guest.locator('input')).fill(grace.password);
  await guest.getByRole('button', { name: 'Create the account and accept' }).click();

  // The dashboard opens the project of the invitation.
  await guest.getByRole('button', { name: 'Switch project: Pier' }).waitFor();
  await guest.getByRole('link', { name: 'Project settings' }).click();
  await guest.getByText('You are a viewer of this project.').waitFor();
  expect(await guest.getByRole('switch', { name: 'Users can create teams' }).isDisabled()).toBe(true);
  expect(await guest.getByRole('button', { name: 'Delete the project' }).count()).toBe(0);
  await members(guest).getByRole('button', { name: 'Leave the project' }).waitFor();
  expect(await members(guest).getByRole('button', { name: 'Invite' }).count()).toBe(0);
  await expectAccessible(guest);
  await guest.getByRole('link', { name: 'Users' }).click();
  await expect.poll(() => guest.getByRole('button', { name: 'Create a user' }).first().isDisabled()).toBe(true);
  await guest.getByRole('link', { name: 'Emails' }).click();
  await guest.getByRole('link', { name: 'Messages' }).click();
  await expect.poll(() => guest.getByRole('button', { name: 'Write a message' }).isDisabled()).toBe(true);
  await guest.goto(guest.url().replace(/messages.*$/, 'messages/new'));
  await guest.getByRole('heading', { name: 'Only admins and owners can see this' }).waitFor();
  expect(await guest.getByRole('alert').count()).toBe(0);
  await expectAccessible(guest);

  await page.reload();
  await members(page).getByRole('button', { name: 'Change the role of Grace' }).click();
  await dialog.getByRole('combobox', { name: 'Role' }).selectOption('Admin');
  await dialog.getByRole('button', { name: 'Save' }).click();
  // Its choice of roles has the same words.
  await dialog.waitFor({ state: 'detached' });
  await members(page).getByText('Admin', { exact: true }).waitFor();

  await guest.reload();
  await guest.getByRole('link', { name: 'Project settings' }).click();
  const name = guest.getByRole('textbox', { name: 'Name' });
  await name.fill('Pier two');
  await guest.getByRole('button', { name: 'Save' }).click();
  await guest.getByRole('button', { name: 'Switch project: Pier two' }).waitFor();

  await page.reload();
  await members(page).getByRole('button', { name: 'Transfer ownership' }).click();
  await dialog.getByRole('textbox').fill('Pier');
  await dialog.getByRole('button', { name: 'Transfer ownership' }).click();
  await dialog.getByText('Type “Pier two” exactly as shown.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('textbox').fill('Pier two');
  await dialog.getByRole('button', { name: 'Transfer ownership' }).click();
  await page.getByText('Only an owner can delete this project.').waitFor();
  await mailTo(server, grace.email, /Pier two/);

  await members(page).getByRole('button', { name: 'Leave the project' }).click();
  await dialog.getByRole('button', { name: 'Leave the project' }).click();
  await page.getByRole('heading', { name: 'Your projects' }).waitFor();
  await page.getByRole('link', { name: /^Pier/ }).waitFor({ state: 'detached' });
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
