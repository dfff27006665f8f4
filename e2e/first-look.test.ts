import { expect } from 'vitest';
import { signInAtProvider, userMenu } from './support/pages.ts';
import { newPerson } from './support/people.ts';
import { test } from './support/test.ts';
import { withoutRedirects } from './support/troubles.ts';

test('the demo of a new installation shows all sign-in methods, and they work', async ({ page, troubles }) => {
  await page.goto('/handler/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  const offered = await page.locator('.tessera-page').getByRole('button').allTextContents();
  expect(offered).toEqual(['Sign in with GitHub', 'Sign in with Google', 'Sign in with a passkey', '', 'Sign in']);
  expect(await page.getByRole('tab').allTextContents()).toEqual(['Password', 'Email code']);

  const { email } = newPerson();
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await signInAtProvider(page, 'Google', email);
  await userMenu(page, email).waitFor();

  await page.goto('/handler/account-settings#auth');
  const accounts = page.getByRole('list', { name: 'Connected accounts' });
  await accounts.waitFor();
  const [account, ...others] = await accounts.getByRole('listitem').allTextContents();
  expect(account).toContain(`Google${email}`);
  expect(others).toEqual([]);
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor();
  expect(await page.getByRole('navigation', { name: 'Account settings' }).getByRole('link').allTextContents()).toEqual([
    ...['Profile', 'Emails and sign-in', 'Notifications', 'Active sessions', 'API keys', 'Settings', 'Create a team'],
  ]);
  expect(withoutRedirects(troubles)).toEqual([]);
});
