import { expect } from 'vitest';
import { register } from './support/api.ts';
import { enter, shelf, submitSignIn } from './support/pages.ts';
import { newPerson } from './support/people.ts';
import { test } from './support/test.ts';
import { totpCode } from './support/totp.ts';

test('control 63: a user sets up a second factor, needs it to sign in, and switches it off', async ({
  server,
  page,
  troubles,
}) => {
  const person = newPerson();
  await register(server, person);
  await enter(page, person);

  await page.goto('/handler/account-settings#auth');
  await page.getByRole('button', { name: 'Switch on: Second factor' }).click();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const key = (await page.locator('code').textContent()) ?? '';
  const code = page.getByLabel('Six-digit code');
  await code.waitFor();
  await page.keyboard.type(wrong(totpCode(key)));
  await page.getByText('The code is wrong.').waitFor();
  await page.keyboard.type(totpCode(key));
  await page.getByRole('button', { name: 'Switch off: Second factor' }).waitFor();

  await page.context().clearCookies();
  await page.goto('/handler/sign-in?after_auth_return_to=%2Fshelf');
  await submitSignIn(page, person);
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
  await page.keyboard.type(wrong(totpCode(key)));
  await page.getByText('The code is wrong.').waitFor();
  await page.keyboard.type(totpCode(key));
  await shelf(page).waitFor();

  await page.goto('/handler/account-settings#auth');
  await page.getByRole('button', { name: 'Switch off: Second factor' }).click();
  await page.getByRole('button', { name: 'Switch on: Second factor' }).waitFor();
  expect(troubles).toEqual([]);
});

/** A code that no current time step has. */
function wrong(code: string): string {
  return code.replaceAll(/\d/g, digit => String((Number(digit) + 5) % 10));
}
