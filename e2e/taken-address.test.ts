import { expect } from 'vitest';
import { register } from './support/api.ts';
import { authForm, descriptionOf, shelf, submitSignUp, waitForFocus } from './support/pages.ts';
import { newPerson } from './support/people.ts';
import { test } from './support/test.ts';

test('sign-up with an address that has an account says so, and its owner signs in without typing it again', async ({
  server,
  page,
  troubles,
}) => {
  const person = newPerson();
  await register(server, person);
  await page.goto('/handler/sign-up');
  const form = authForm(page);

  await submitSignUp(page, { email: person.email.toUpperCase(), password: 'another good password' });
  const message = 'An account with this email already exists. Sign in instead.';
  await page.getByText(message).waitFor();
  expect(await descriptionOf(form.email)).toContain(message);
  await waitForFocus(form.email);
  expect(await form.password.inputValue()).toBe('another good password');

  await page.getByRole('alert').getByRole('link', { name: 'Sign in instead' }).click();
  await form.signIn.waitFor();
  expect(await form.email.inputValue()).toBe(person.email.toUpperCase());
  await form.password.fill(person.password);
  await form.signIn.click();
  await shelf(page).waitFor();
  expect(troubles).toEqual([]);
});
