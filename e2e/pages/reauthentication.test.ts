import { totpCode } from '@tessera/testing/totp';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { register } from '../support/api.ts';
import { codeIn, mailTo } from '../support/mail.ts';
import { submitSignIn, typeInto, verifyAddress } from '../support/pages.ts';
import { addAuthenticator } from '../support/passkeys.ts';
import { newPerson, type Person } from '../support/people.ts';
import { changeExtension, configure } from '../support/project.ts';
import { ageSignIns } from '../support/sessions.ts';
import type { TesseraServer } from '../support/tessera-server.ts';
import { test } from '../support/test.ts';

const question = (page: Page) => page.getByRole('dialog', { name: "Confirm it's you" });

async function prepare(server: TesseraServer, page: Page): Promise<Person> {
  await configure(server, { magic_link_enabled: true, passkey_enabled: true, client_user_deletion_enabled: true });
  await changeExtension(server, 'session-policy', { fresh_sign_in_within_millis: 600_000 });
  const person = newPerson();
  await register(server, person);
  await verifyAddress(server, page, person);
  return person;
}

async function enterSettings(page: Page, person: Person): Promise<void> {
  await page.goto('/handler/sign-in?after_auth_return_to=%2Fhandler%2Faccount-settings%23auth');
  await submitSignIn(page, person);
}

test('control 68: turning off two-step verification asks for the password, and continues after it', async ({
  server,
  page,
}) => {
  const person = await prepare(server, page);
  await enterSettings(page, person);
  await page.getByRole('button', { name: 'Turn on: Two-step verification' }).click();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const key = (await page.locator('code').textContent()) ?? '';
  await typeInto(page.getByLabel('Six-digit code'), totpCode(key));
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await codes.getByLabel("I've saved these codes").check();
  await codes.getByRole('button', { name: 'Done' }).click();

  await ageSignIns(server);
  await page.getByRole('button', { name: 'Turn off: Two-step verification' }).click();
  await question(page).getByLabel('Password', { exact: true }).and(page.locator('input')).fill(person.password);
  // The code that turned it on is used up; the next step is accepted too.
  await question(page).getByLabel('Code from your authenticator app').fill(totpCode(key, 1));
  await question(page).getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: 'Turn on: Two-step verification' }).waitFor();
  await question(page).waitFor({ state: 'detached' });
});

test('control 68: adding an address asks for an emailed code, and continues after it', async ({ server, page }) => {
  const [person, second] = [await prepare(server, page), newPerson()];
  await enterSettings(page, person);
  const add = page.getByRole('button', { name: 'Add an address' });
  await add.waitFor();
  await ageSignIns(server);
  await add.click();
  await page.getByLabel('New email address').fill(second.email);
  await page.keyboard.press('Enter');
  await question(page).getByRole('button', { name: 'Use an email code' }).click();
  await question(page).getByRole('button', { name: 'Email me a code' }).click();
  await question(page)
    .getByLabel('Six-character code')
    .fill(codeIn(await mailTo(server, person.email, /Confirm it’s you/)));
  await question(page).getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('listitem').filter({ hasText: second.email }).waitFor();
  await question(page).waitFor({ state: 'detached' });
});

test('control 68: adding a passkey and deleting the account ask for a passkey, and continue after it', async ({
  server,
  page,
}) => {
  const authenticator = await addAuthenticator(page);
  const person = await prepare(server, page);
  await enterSettings(page, person);
  // The virtual device can hold passkeys, so the sign-in page offers one.
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor();
  await ageSignIns(server);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await question(page).getByLabel('Password', { exact: true }).and(page.locator('input')).fill(person.password);
  await question(page).getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('You can sign in with a passkey.').waitFor();
  expect(await authenticator.passkeys()).toBe(1);

  await ageSignIns(server);
  await page.goto('/handler/account-settings#settings');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
  await question(page).getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
});
