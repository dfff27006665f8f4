import { expect } from 'vitest';
import { call, register } from '../support/api.ts';
import { openProfile } from '../support/chromium.ts';
import { linkIn, mailTo } from '../support/mail.ts';
import { authForm, registerInBrowser, submitSignIn } from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { configure } from '../support/project.ts';
import { test } from '../support/test.ts';

const settings = '/handler/account-settings';

test('control 75: a user invites an admin into a team, names a successor and leaves; the successor deletes the team', async ({
  server,
  browser,
  demo,
  page,
  troubles,
}) => {
  await configure(server, { client_team_creation_enabled: true });
  const [host, guest] = [newPerson(), newPerson()];
  await registerInBrowser(server, page, host);
  await register(server, guest);

  await page.goto(settings);
  await page.getByRole('link', { name: 'Create a team' }).click();
  const name = 'Analysts https://evil.example';
  await page.getByRole('textbox', { name: 'Team name' }).fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 2, name }).waitFor();
  const invite = page.getByRole('region', { name: 'Invite a member' });
  await invite.getByLabel('Email').fill(guest.email);
  await invite.getByLabel('Role').selectOption({ label: 'Admin' });
  await invite.getByLabel('Email').focus();
  await page.keyboard.press('Enter');
  await page.getByText(`Invitation sent to ${guest.email}.`).waitFor();
  await page.getByRole('button', { name: `Revoke invitation of ${guest.email}` }).waitFor();

  const elsewhere = await openProfile(browser, { baseURL: demo.url });
  const theirs = await elsewhere.newPage();
  await theirs.goto(linkIn(await mailTo(server, guest.email, /team|invit/i)));
  await theirs.getByText(guest.email).waitFor();
  await theirs.getByText(name).waitFor();
  await theirs.getByRole('button', { name: 'Sign in' }).click();
  expect(await authForm(theirs).email.inputValue()).toBe(guest.email);
  await submitSignIn(theirs, guest);
  await theirs.getByRole('button', { name: 'Join' }).waitFor();
  expect(await theirs.getByRole('link', { name: 'evil' }).count()).toBe(0);
  await theirs.getByRole('button', { name: 'Join' }).click();
  await theirs.getByRole('heading', { name: "You've joined the team" }).waitFor();

  await page.reload();
  const members = page.getByRole('region', { name: 'Members' }).getByRole('listitem');
  await expect.poll(() => members.count()).toBe(2);

  await page.getByRole('combobox', { name: /^Role of/ }).selectOption({ label: 'Member' });
  await page.getByText("You're the last admin. Choose who takes over before you leave.").waitFor();
  await page.getByRole('button', { name: 'Leave team' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New admin').selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Leave team' }).click();
  await page.getByRole('link', { name }).waitFor({ state: 'detached' });

  await theirs.goto(settings);
  await theirs.getByRole('link', { name }).click();
  // The list moves the button below it when it arrives.
  await theirs.getByRole('region', { name: 'Members' }).getByRole('listitem').waitFor();
  await theirs.getByRole('button', { name: 'Delete team' }).click();
  await theirs.getByRole('checkbox', { name: 'I understand' }).check();
  await theirs.getByRole('dialog').getByRole('button', { name: 'Delete team' }).click();
  await theirs.getByRole('link', { name }).waitFor({ state: 'detached' });
  await elsewhere.close();
  expect(troubles).toEqual([]);
});

test('a login of a command-line program can be confirmed once', async ({ server, page, troubles }) => {
  await configure(server);
  const person = newPerson();
  await register(server, person);
  const started = await call(server, 'POST /auth/cli', { body: {} });
  const { polling_code, login_code } = await started.json();

  await page.goto(`/handler/cli-auth-confirm?login_code=${login_code}`);
  await submitSignIn(page, person);
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByRole('heading', { name: "You're signed in on the command line" }).waitFor();
  const polled = await call(server, 'POST /auth/cli/poll', { body: { polling_code } });
  expect(await polled.json()).toMatchObject({ status: 'success' });

  await page.reload();
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByText('This sign-in has expired or was already used.').waitFor();
  expect(troubles).toEqual([]);
});
