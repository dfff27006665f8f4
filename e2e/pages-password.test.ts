import { expect } from 'vitest';
import { register } from './support/api.ts';
import { linkIn, mailTo } from './support/mail.ts';
import { authForm, hasFocus, shelf, submitSignIn } from './support/pages.ts';
import { somebody } from './support/people.ts';
import { test } from './support/test.ts';

test('somebody who forgot their password gets a link, chooses another, and signs in with it; the link works once', async ({
  server,
  page,
  troubles,
}) => {
  const person = somebody();
  const password = `${person.password}, again`;
  await register(server, person);

  await page.goto('/handler/sign-in');
  await authForm(page).email.fill(person.email);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(person.email);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();

  const link = linkIn(await mailTo(server, person.email, /password/i));
  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Repeat password', { exact: true }).fill(`${password}!`);
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByText('The two passwords are not the same.').waitFor();
  await page.getByLabel('Repeat password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();

  await page.getByRole('button', { name: 'Sign in' }).click();
  await submitSignIn(page, person);
  await page.getByText('Email and password do not match.').waitFor();
  await submitSignIn(page, { ...person, password });
  await shelf(page).waitFor();

  await page.goto(link);
  const used = page.getByRole('heading', { name: 'This link has been used' });
  await used.waitFor();
  expect(troubles).toEqual([]);
});

test('asking for a link to an address without an account looks the same', async ({ page, troubles }) => {
  await page.goto('/handler/forgot-password');
  await page.getByRole('button', { name: 'Send the link' }).click();
  const email = page.getByRole('textbox', { name: 'Email' });
  expect(await hasFocus(email)).toBe(true);
  await email.fill(somebody().email);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  expect(troubles).toEqual([]);
});
