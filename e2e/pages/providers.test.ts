import { expect } from 'vitest';
import { register } from '../support/api.ts';
import { violationsOf } from '../support/axe.ts';
import { authForm, choose, shelf, signInAtProvider, userMenu } from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { configure } from '../support/project.ts';
import { test } from '../support/test.ts';
import { withoutRedirects } from '../support/troubles.ts';

test('a user signs up with a provider, signs in with the button marked as last used, and may decline', async ({
  server,
  page,
  troubles,
}) => {
  await configure(server, { oauth_providers: [{ id: 'github', type: 'shared' }] });
  const { email } = newPerson();
  await page.goto('/handler/sign-up');
  await page.getByRole('button', { name: 'Sign up with GitHub' }).click();
  await signInAtProvider(page, 'GitHub', email);
  await userMenu(page, email).waitFor();

  await userMenu(page, email).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Start your shelf' }).waitFor();
  await page.goto('/handler/sign-in?after_auth_return_to=%2Fshelf');
  await page.getByRole('button', { name: 'Sign in with GitHub Last used' }).click();
  await signInAtProvider(page, 'GitHub', email);
  await shelf(page).waitFor();
  expect(withoutRedirects(troubles)).toEqual([]);

  await page.context().clearCookies();
  await page.goto('/handler/sign-in');
  await page.getByRole('button', { name: /^Sign in with GitHub/ }).click();
  await page.getByRole('heading', { name: 'GitHub (mock provider)' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'Sign-in was canceled' }).waitFor();
});

test('a provider with the address of an account leads to its sign-in, is connected there, and disconnected', async ({
  server,
  page,
  troubles,
}) => {
  await configure(server, { oauth_providers: [{ id: 'github', type: 'shared' }] });
  const person = newPerson();
  await register(server, person);
  await page.goto('/handler/sign-in');
  await page.getByRole('button', { name: /^Sign in with GitHub/ }).click();
  await signInAtProvider(page, 'GitHub', person.email);
  await page.getByRole('heading', { name: 'You already have an account' }).waitFor();
  await page.getByText(`There is already an account with ${person.email}.`).waitFor();
  await page.getByText('You sign in there with: password.').waitFor();
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('button', { name: 'Sign in' }).click();
  const form = authForm(page);
  await form.password.waitFor();
  expect(await form.email.inputValue()).toBe(person.email);
  await form.password.fill(person.password);
  await form.signIn.click();

  const question = page.getByRole('dialog', { name: 'Connect GitHub?' });
  await question.waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await question.getByRole('button', { name: 'Connect GitHub' }).click();
  await signInAtProvider(page, 'GitHub', person.email);
  const row = page.getByRole('list', { name: 'Connected accounts' }).getByRole('listitem');
  await row.getByText('GitHub', { exact: true }).waitFor();
  await row.getByText(person.email).waitFor();

  await choose(page, 'GitHub', 'Disconnect');
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Connect GitHub' }).waitFor();
  expect(withoutRedirects(troubles)).toEqual([]);
});

test('the callback page without a sign-in attempt leads to the sign-in page', async ({ page }) => {
  await page.goto('/handler/oauth-callback');
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
});
