import { expect } from 'vitest';
import { register } from './support/api.ts';
import { authForm, descriptionOf, shelf, submitSignIn, waitForFocus } from './support/pages.ts';
import { newPerson } from './support/people.ts';
import { test } from './support/test.ts';

test('a wrong password is reported at the password field, and the form keeps its input, and the right password signs in', async ({
  server,
  page,
  troubles,
}) => {
  const person = newPerson();
  await register(server, person);
  await page.goto('/handler/sign-in');
  const form = authForm(page);

  await submitSignIn(page, { email: person.email, password: 'not my password' });
  await page.getByText('Incorrect email or password.').waitFor();
  expect(await descriptionOf(form.password)).toContain('Incorrect email or password.');
  expect(await form.password.getAttribute('aria-invalid')).toBe('true');
  await waitForFocus(form.password);
  expect(await form.email.inputValue()).toBe(person.email);
  expect(await form.password.inputValue()).toBe('not my password');

  await form.password.fill(person.password);
  await page.getByText('Incorrect email or password.').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await shelf(page).waitFor();
  expect(troubles).toEqual([]);
});

test('an unknown address gets the same message as a wrong password', async ({ page, troubles }) => {
  await page.goto('/handler/sign-in');
  await submitSignIn(page, newPerson());
  await page.getByText('Incorrect email or password.').waitFor();
  expect(troubles).toEqual([]);
});
