import { totpCode } from '@tessera/testing/totp';
import { expect } from 'vitest';
import { registerInBrowser, shelf, submitSignIn, typeInto } from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { test } from '../support/test.ts';

test('control 63: a user sets up a second factor, needs it to sign in, and switches it off', async ({
  server,
  page,
  troubles,
}) => {
  const person = newPerson();
  await registerInBrowser(server, page, person);
  await page.goto('/handler/account-settings#auth');
  // "Cancel" takes the place of the button at the end of the page. The second click must not press it.
  await page.getByRole('button', { name: 'Turn on: Two-step verification' }).dblclick();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const key = (await page.locator('code').textContent()) ?? '';
  const code = page.getByLabel('Six-digit code');
  await code.focus();
  await typeInto(code, wrong(totpCode(key)));
  await page.getByText('Incorrect code.').waitFor();
  await page.keyboard.type(totpCode(key));
  await page.getByRole('button', { name: 'Turn off: Two-step verification' }).waitFor();
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await dialog.getByLabel("I've saved these codes").check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Codes left: 10.').waitFor();

  await page.context().clearCookies();
  await page.goto('/handler/sign-in?after_auth_return_to=%2Fshelf');
  await submitSignIn(page, person);
  await page.getByRole('heading', { name: 'Two-step verification' }).waitFor();
  await typeInto(code, wrong(totpCode(key)));
  await page.getByText('Incorrect code.').waitFor();
  await page.keyboard.type(totpCode(key));
  await shelf(page).waitFor();

  await page.goto('/handler/account-settings#auth');
  await page.getByRole('button', { name: 'Turn off: Two-step verification' }).click();
  await page.getByRole('button', { name: 'Turn on: Two-step verification' }).waitFor();
  expect(troubles).toEqual([]);
});

test('a user who has lost the authenticator app signs in with a recovery code, which works once', async ({
  server,
  page,
  troubles,
}) => {
  const person = newPerson();
  await registerInBrowser(server, page, person);
  await page.goto('/handler/account-settings#auth');
  await page.getByRole('button', { name: 'Turn on: Two-step verification' }).click();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const key = (await page.locator('code').textContent()) ?? '';
  await typeInto(page.getByLabel('Six-digit code'), totpCode(key));
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' });
  const codes = dialog.getByRole('listitem');
  await codes.last().waitFor();
  expect(await codes.count()).toBe(10);
  const code = (await codes.first().textContent()) ?? '';
  await dialog.getByLabel("I've saved these codes").check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Codes left: 10.').waitFor();

  const signInWith = async (recoveryCode: string) => {
    await page.context().clearCookies();
    await page.goto('/handler/sign-in?after_auth_return_to=%2Fshelf');
    await submitSignIn(page, person);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await typeInto(page.getByLabel('Recovery code'), recoveryCode);
    await page.keyboard.press('Enter');
  };
  await signInWith(code.toUpperCase());
  await shelf(page).waitFor();
  await page.goto('/handler/account-settings#auth');
  await page.getByText('Codes left: 9.').waitFor();
  await signInWith(code);
  await page.getByText("This code isn't valid").waitFor();
  expect(troubles).toEqual([]);
});

/** A code that no current time step has. */
function wrong(code: string): string {
  return code.replaceAll(/\d/g, digit => String((Number(digit) + 5) % 10));
}
