import { expect } from 'vitest';
import { register } from './support/api.ts';
import { authForm, descriptionOf, hasFocus, shelf, submitSignIn } from './support/pages.ts';
import { somebody } from './support/people.ts';
import { test } from './support/test.ts';

test('a wrong password is said beside the address, nothing typed is lost, and the right one lets in', async ({
  server,
  page,
  troubles,
}) => {
  const person = somebody();
  await register(server, person);
  await page.goto('/handler/sign-in');
  const form = authForm(page);

  await submitSignIn(page, { email: person.email, password: 'not my password' });
  await page.getByText('Email and password do not match.').waitFor();
  expect(await descriptionOf(form.email)).toContain('Email and password do not match.');
  expect(await form.email.getAttribute('aria-invalid')).toBe('true');
  expect(await hasFocus(form.email)).toBe(true);
  expect(await form.email.inputValue()).toBe(person.email);
  expect(await form.password.inputValue()).toBe('not my password');

  await form.password.fill(person.password);
  expect(await page.getByText('Email and password do not match.').count()).toBe(0);
  await page.keyboard.press('Enter');
  await shelf(page).waitFor();
  expect(troubles).toEqual([]);
});

test('an unknown address is answered like a wrong password', async ({ page, troubles }) => {
  await page.goto('/handler/sign-in');
  await submitSignIn(page, somebody());
  await page.getByText('Email and password do not match.').waitFor();
  expect(troubles).toEqual([]);
});
