import { totpCode } from '@tessera/testing/totp';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { openProfile } from '../support/chromium.ts';
import type { Demo } from '../support/demo.ts';
import { codeIn, linkIn, mailTo } from '../support/mail.ts';
import { authForm, choose, shelf, signInHeading, submitSignIn, submitSignUp, userMenu } from '../support/pages.ts';
import { addAuthenticator } from '../support/passkeys.ts';
import { newPerson, type Person } from '../support/people.ts';
import { changeExtension, configure } from '../support/project.ts';
import { ageSignIns } from '../support/sessions.ts';
import type { TesseraServer } from '../support/tessera-server.ts';
import { test } from '../support/test.ts';
import { collectTroubles } from '../support/troubles.ts';

type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'hasTouch' | 'isMobile'>;

const devices = [
  {
    device: 'a phone in dark',
    look: { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true, isMobile: true },
  },
  { device: 'a desktop in light', look: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } },
] as const satisfies readonly { device: string; look: Look }[];

const title = 'a user signs up, loses a device with two-step verification, and deletes the account, on $device';

test.for(devices)(title, async ({ look }, { server, browser, demo }) => {
  await prepare(server, demo);
  const [person, colleague, renamed] = [newPerson(), newPerson(), newPerson()];
  const open = () => openDevice(browser, { ...look, baseURL: demo.url });

  // The first device, with a passkey and an authenticator app. The person loses it while it is signed in.
  const lost = await open();
  const recoveryCode = await setUpDevice(lost.page, { server, person });
  expect(lost.troubles).toEqual([]);

  const { page, troubles } = await open();
  await page.goto('/handler/sign-in?after_auth_return_to=%2Fshelf');
  await submitSignIn(page, person);
  await enterRecoveryCode(page, recoveryCode);
  await openSection(page, 'Emails and sign-in');
  await page.getByText('Codes left: 9.').waitFor();
  await page.getByRole('button', { name: 'Turn off: Two-step verification' }).click();
  await page.getByRole('button', { name: 'Turn on: Two-step verification' }).waitFor();

  const guest = await open();
  await createTeam(page, 'Analysts');
  await invite(page, colleague);
  await guest.page.goto(linkIn(await mailTo(server, colleague.email, /invit/i)));
  await guest.page.getByRole('button', { name: 'Create an account' }).click();
  await submitSignUp(guest.page, colleague);
  await join(guest.page, () => mailTo(server, colleague.email, /verify your email/i).then(codeIn));
  await page.reload();
  await expect.poll(() => region(page, 'Members').getByRole('listitem').count()).toBe(2);

  await addAddress(page, renamed.email);
  await page.goto(linkIn(await mailTo(server, renamed.email, /verif/i)));
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('heading', { name: 'Email address verified' }).waitFor();
  await replaceAddress(page, person.email, renamed.email);

  await removePasskey(page);
  await endOtherSession(page);
  // The lost device keeps an access token of ten minutes, and cannot get another one.
  await lost.page.clock.setFixedTime(Date.now() + 660_000);
  await lost.page.goto('/shelf');
  await signInHeading(lost.page).waitFor();

  await appointSuccessor(page, 'Analysts');
  await ageSignIns(server);
  await deleteAccount(page, person);
  await mailTo(server, renamed.email, /deleted/i);
  await page.getByRole('button', { name: 'Go to the home page' }).click();
  await page.getByRole('link', { name: 'Start your shelf' }).waitFor();
  await page.goto('/handler/sign-in');
  await submitSignIn(page, { ...person, email: renamed.email });
  await page.getByText('Incorrect email or password.').waitFor();
  expect([...troubles, ...guest.troubles]).toEqual([]);
});

async function prepare(server: TesseraServer, { url: domain }: Demo): Promise<void> {
  await configure(server, {
    passkey_enabled: true,
    client_team_creation_enabled: true,
    client_user_deletion_enabled: true,
    domains: [{ domain, handler_path: '/handler' }],
  });
  await changeExtension(server, 'email-verification', { asks_for_code: true });
  await changeExtension(server, 'session-policy', { fresh_sign_in_within_millis: 600_000 });
}

const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

async function openDevice(browser: Browser, options: BrowserContextOptions) {
  const context = await openProfile(browser, options);
  onTestFinished(() => context.close());
  return { troubles: collectTroubles(context), page: await context.newPage() };
}

/** Opens a section of the account settings from the list of sections, which is a page of its own on a phone. */
async function openSection(page: Page, name: string): Promise<void> {
  await page.goto('/handler/account-settings');
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 2, name }).waitFor();
}

async function verifyInSameWindow(page: Page, code: string): Promise<void> {
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await page.getByLabel('Six-character code').fill(code);
}

async function acceptPasskey(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in faster next time' }).waitFor();
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await shelf(page).waitFor();
}

async function setName(page: Page, { email }: Person, name: string): Promise<void> {
  await userMenu(page, email).click();
  await page.getByRole('menuitem', { name: 'Account settings' }).click();
  await openSection(page, 'Profile');
  await page.getByRole('button', { name: 'Change: Display name' }).click();
  await page.getByRole('textbox', { name: 'Display name' }).fill(name);
  await page.getByRole('button', { name: 'Save' }).click();
  await userMenu(page, name).waitFor();
}

/** Returns one of the recovery codes. */
async function turnOnTwoSteps(page: Page): Promise<string> {
  await openSection(page, 'Emails and sign-in');
  await region(page, 'Passkeys').getByRole('listitem').waitFor();
  await page.getByRole('button', { name: 'Turn on: Two-step verification' }).click();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const key = (await page.locator('code').textContent()) ?? '';
  await page.getByLabel('Six-digit code').fill(totpCode(key));
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await dialog.getByRole('listitem').last().waitFor();
  const code = (await dialog.getByRole('listitem').first().textContent()) ?? '';
  await dialog.getByLabel("I've saved these codes").check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Codes left: 10.').waitFor();
  return code;
}

async function enterRecoveryCode(page: Page, code: string): Promise<void> {
  await page.getByRole('heading', { name: 'Two-step verification' }).waitFor();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(code);
  await page.getByLabel('Recovery code').press('Enter');
  await shelf(page).waitFor();
}

async function createTeam(page: Page, name: string): Promise<void> {
  await openSection(page, 'Create a team');
  await page.getByRole('textbox', { name: 'Team name' }).fill(name);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 2, name }).waitFor();
}

async function invite(page: Page, { email }: Person): Promise<void> {
  const form = region(page, 'Invite a member');
  await form.getByLabel('Email').fill(email);
  await form.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText(`Invitation sent to ${email}.`).waitFor();
}

async function join(page: Page, readCode: () => Promise<string>): Promise<void> {
  await verifyInSameWindow(page, await readCode());
  await page.getByText('Ada Lovelace invited you to join').waitFor();
  await page.getByText('Analysts').waitFor();
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { name: "You've joined the team" }).waitFor();
}

async function addAddress(page: Page, email: string): Promise<void> {
  await openSection(page, 'Emails and sign-in');
  await page.getByRole('button', { name: 'Add an address' }).click();
  await page.getByLabel('New email address').fill(email);
  await page.getByLabel('New email address').press('Enter');
  await page.getByText(`Verification email sent to ${email}.`).waitFor();
}

async function replaceAddress(page: Page, before: string, after: string): Promise<void> {
  await openSection(page, 'Emails and sign-in');
  const row = region(page, 'Email addresses').getByRole('listitem').filter({ hasText: after });
  await choose(page, after, 'Use for sign-in');
  await row.getByText('For sign-in', { exact: true }).waitFor();
  await choose(page, after, 'Make primary');
  await row.getByText('Primary', { exact: true }).waitFor();
  await choose(page, before, 'Remove');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('listitem').filter({ hasText: before }).waitFor({ state: 'detached' });
}

async function removePasskey(page: Page): Promise<void> {
  await openSection(page, 'Emails and sign-in');
  const passkeys = region(page, 'Passkeys');
  await passkeys.getByRole('button', { name: /^More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await passkeys.getByText('Sign in with your fingerprint, face or device PIN.').waitFor();
}

async function endOtherSession(page: Page): Promise<void> {
  await openSection(page, 'Active sessions');
  const sessions = page.getByRole('list', { name: 'Active sessions' }).getByRole('listitem');
  const others = sessions.filter({ hasNot: page.getByText('This device') });
  await others.waitFor();
  expect(await sessions.count()).toBe(2);
  await others.getByRole('button', { name: /^End session/ }).click();
  await others.waitFor({ state: 'detached' });
}

/** The last admin of a team is sent to its page first. */
async function appointSuccessor(page: Page, team: string): Promise<void> {
  await openSection(page, 'Settings');
  await page.getByText("You're the last admin of these teams.").waitFor();
  await region(page, 'Delete account').getByRole('link', { name: team }).click();
  await page
    .getByRole('combobox', { name: /^Role of/ })
    .last()
    .selectOption({ label: 'Admin' });
  // Saved: a page that is left earlier would cancel the request.
  await page.getByText("You're the last admin.").waitFor({ state: 'detached' });
}

async function deleteAccount(page: Page, { password }: Person): Promise<void> {
  await openSection(page, 'Settings');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
  const question = page.getByRole('dialog', { name: "Confirm it's you" });
  await question.waitFor();
  await authForm(page).password.fill(password);
  await question.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
}

/** Signs up with a passkey and an authenticator app. Returns one of the recovery codes. */
async function setUpDevice(page: Page, { server, person }: { server: TesseraServer; person: Person }): Promise<string> {
  const authenticator = await addAuthenticator(page);
  await page.goto('/');
  await page.getByRole('link', { name: 'Start your shelf' }).click();
  await submitSignUp(page, person);
  await verifyInSameWindow(page, codeIn(await mailTo(server, person.email, /verify your email/i)));
  await acceptPasskey(page);
  expect(await authenticator.passkeys()).toBe(1);
  await setName(page, person, 'Ada Lovelace');
  return turnOnTwoSteps(page);
}
