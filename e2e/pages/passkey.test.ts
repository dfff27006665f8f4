import { until } from '@tessera/testing/until';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { call, register } from '../support/api.ts';
import { choose, enter, shelf, submitSignIn, verifyAddress } from '../support/pages.ts';
import { addAuthenticator } from '../support/passkeys.ts';
import { newPerson } from '../support/people.ts';
import { configure } from '../support/project.ts';
import { test } from '../support/test.ts';

const clickPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' }).click();

/** The virtual device confirms the autofill prompt at once: a click on the button would come after it, or too late. */
const disableAutofill = (page: Page) =>
  page.addInitScript(() => {
    // An empty page has no passkeys.
    if ('PublicKeyCredential' in window) PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });

test('control 69: a user adds a passkey, signs in with it by autofill and by the button, renames it and removes it', async ({
  server,
  page,
  troubles,
}) => {
  await configure(server, { passkey_enabled: true });
  const authenticator = await addAuthenticator(page);
  const person = newPerson();
  const { accessToken } = await register(server, person);
  await verifyAddress(server, page, person);
  await page.goto('/handler/sign-in');
  await submitSignIn(page, person);
  await page.getByRole('heading', { name: 'Sign in faster next time' }).waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();
  await shelf(page).waitFor();
  // Dismissed: the next sign-in leads on without the offer.
  await page.context().clearCookies();
  await enter(page, person);

  await page.goto('/handler/account-settings#auth');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('You can sign in with a passkey.').waitFor();
  expect(await authenticator.passkeys()).toBe(1);

  await page.context().clearCookies();
  await page.goto('/handler/sign-in?after_auth_return_to=%2Fshelf');
  await shelf(page).waitFor();

  await disableAutofill(page);
  await page.context().clearCookies();
  await page.goto('/handler/sign-in?after_auth_return_to=%2Fshelf');
  await clickPasskey(page);
  await shelf(page).waitFor();

  await page.goto('/handler/account-settings#auth');
  const row = page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem');
  await row.getByText('Last used').waitFor();
  await row.getByRole('button', { name: /^More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Test device');
  await page.keyboard.press('Enter');
  await row.getByText('Test device').waitFor();
  await choose(page, 'Test device', 'Remove');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor();
  // The page tells the browser, which forgets the passkey.
  await until('the browser has forgotten the passkey', async () => (await authenticator.passkeys()) === 0);

  // A passkey that another client has removed: the device still has it, and the server refuses it.
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('You can sign in with a passkey.').waitFor();
  // The open page would read the shorter list and tell the browser to forget the passkey.
  await page.goto('about:blank');
  expect(await authenticator.passkeys()).toBe(1);
  await call(server, 'PATCH /users/me', { accessToken, body: { passkey_auth_enabled: false } });
  await page.context().clearCookies();
  await page.goto('/handler/sign-in');
  await clickPasskey(page);
  await page.getByText("This passkey wasn't accepted.").first().waitFor();
  await until('the browser has forgotten the refused passkey', async () => (await authenticator.passkeys()) === 0);
  expect(troubles).toEqual([]);
});
