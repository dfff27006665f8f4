import { expect } from 'vitest';
import { authForm, shelf, signInHeading, submitSignIn, submitSignUp, userMenu } from './support/pages.ts';
import { newPerson } from './support/people.ts';
import { test } from './support/test.ts';

test('control 41: a user signs up, returns, sets a name, signs out in every tab, and signs in again', async ({
  context,
  page,
  troubles,
}) => {
  const person = newPerson();

  await page.goto('/');
  await page.getByRole('link', { name: 'Start your shelf' }).click();
  await submitSignUp(page, person);
  await shelf(page).waitFor();
  expect(new URL(page.url()).pathname).toBe('/shelf');

  await page.reload();
  await userMenu(page, person.email).waitFor();
  await shelf(page).waitFor();

  await userMenu(page, person.email).click();
  await page.getByRole('menuitem', { name: 'Account settings' }).click();
  await page.getByRole('button', { name: 'Change: Display name' }).click();
  await page.getByRole('textbox', { name: 'Display name' }).fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save' }).click();
  await userMenu(page, 'Ada Lovelace').waitFor();

  const other = await context.newPage();
  await other.goto('/shelf');
  await userMenu(other, 'Ada Lovelace').waitFor();
  await shelf(other).waitFor();

  await userMenu(page, 'Ada Lovelace').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Start your shelf' }).waitFor();
  await signInHeading(other).waitFor();

  await submitSignIn(other, person);
  await shelf(other).waitFor();
  await userMenu(other, 'Ada Lovelace').waitFor();
  await page.getByRole('link', { name: 'Open your shelf' }).waitFor();
  await userMenu(page, 'Ada Lovelace').waitFor();

  expect(await authForm(other).password.count()).toBe(0);
  expect(troubles).toEqual([]);
});
