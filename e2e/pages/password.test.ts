import { expect } from 'vitest';
import { register } from '../support/api.ts';
import { linkIn, mailTo } from '../support/mail.ts';
import { authForm, shelf, submitSignIn, userMenu, waitForFocus } from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { test } from '../support/test.ts';

test('a user who forgot the password sets a new one with a link, which signs in and works once', async ({
  server,
  page,
  troubles,
}) => {
  const person = newPerson();
  const password = `${person.password}, again`;
  await register(server, person);

  await page.goto('/handler/sign-in');
  await authForm(page).email.fill(person.email);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(person.email);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();

  const link = linkIn(await mailTo(server, person.email, /password/i));
  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill(password);
  expect(await page.locator('input[autocomplete=username]').inputValue()).toBe(person.email);
  await page.keyboard.press('Enter');
  // The page knows the address and signs in with the new password.
  await userMenu(page, person.email).waitFor();

  await page.context().clearCookies();
  await page.goto('/handler/sign-in');
  await submitSignIn(page, person);
  await page.getByText('Incorrect email or password.').waitFor();
  await submitSignIn(page, { ...person, password });
  await shelf(page).waitFor();

  await page.goto(link);
  const used = page.getByRole('heading', { name: 'This link has already been used' });
  await used.waitFor();
  expect(troubles).toEqual([]);
});

test('a reset link for an address without an account shows the same page', async ({ page, troubles }) => {
  await page.goto('/handler/forgot-password');
  await page.getByRole('button', { name: 'Send link' }).click();
  const email = page.getByRole('textbox', { name: 'Email' });
  await waitForFocus(email);
  await email.fill(newPerson().email);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  expect(troubles).toEqual([]);
});
