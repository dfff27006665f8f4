import { expect } from 'vitest';
import { authForm, descriptionOf, shelf, submitSignUp, waitForFocus } from './support/pages.ts';
import { newPerson } from './support/people.ts';
import { test } from './support/test.ts';

test('a short password is refused before a request is sent, and can be corrected in place', async ({
  page,
  troubles,
}) => {
  const person = newPerson();
  const sent: string[] = [];
  page.on('request', request => {
    if (request.url().includes('/auth/password/sign-up')) sent.push(request.method());
  });
  await page.goto('/handler/sign-up');
  const form = authForm(page);

  await submitSignUp(page, { email: person.email, password: 'seven77' });
  await page.getByText('Use at least 8 characters.').waitFor();
  expect(await descriptionOf(form.password)).toContain('Use at least 8 characters.');
  await waitForFocus(form.password);
  expect(await form.email.inputValue()).toBe(person.email);
  expect(await form.password.inputValue()).toBe('seven77');
  expect(sent).toEqual([]);

  await submitSignUp(page, person);
  await shelf(page).waitFor();
  expect(sent).toEqual(['POST']);
  expect(troubles).toEqual([]);
});

test('all missing fields are reported at once, and the first one gets the focus', async ({ page }) => {
  await page.goto('/handler/sign-up');
  const form = authForm(page);

  await form.signUp.click();
  await page.getByText('Enter your email address.').waitFor();
  expect(await descriptionOf(form.email)).toContain('Enter your email address.');
  expect(await descriptionOf(form.password)).toContain('Choose a password.');
  await waitForFocus(form.email);
  expect(await page.getByRole('status').allTextContents()).toContain('2 fields need your attention.');
});
