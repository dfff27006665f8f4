import { expect } from 'vitest';
import { register } from './support/api.ts';
import { enter, openShelf, shelf, signInHeading, submitSignIn, userMenu } from './support/pages.ts';
import { newPerson } from './support/people.ts';
import { test } from './support/test.ts';

test('control 41: a sign-in in one tab signs the other tab in, and a sign-out there ends both', async ({
  server,
  context,
  page,
  troubles,
}) => {
  const person = newPerson();
  await register(server, person);
  const other = await context.newPage();
  await page.goto('/shelf');
  await other.goto('/account');
  await signInHeading(page).waitFor();
  await signInHeading(other).waitFor();

  await submitSignIn(page, person);
  await shelf(page).waitFor();
  await other.getByRole('heading', { name: 'Your account' }).waitFor();

  await other.getByRole('button', { name: 'Sign out' }).click();
  await signInHeading(page).waitFor();
  await other.getByRole('link', { name: 'Start your shelf' }).waitFor();
  const tokens = async () => (await context.cookies()).filter(({ name }) => /refresh|access/.test(name));
  await expect.poll(tokens).toEqual([]);
  expect(troubles).toEqual([]);
});

test('a sign-in of another user in one tab shows that user in the other tab', async ({
  server,
  context,
  page,
  troubles,
}) => {
  const [first, second] = [newPerson(), newPerson()];
  await register(server, second);
  await openShelf(server, page, first);
  const other = await context.newPage();
  await other.goto('/');
  await userMenu(other, first.email).waitFor();

  await page.goto('/handler/sign-out');
  await page.getByRole('link', { name: 'Start your shelf' }).waitFor();
  await enter(page, second);
  await userMenu(other, second.email).waitFor();
  expect(troubles).toEqual([]);
});

test('control 39: tabs that need a new access token at the same time send one request', async ({
  server,
  context,
  page,
  troubles,
}) => {
  await openShelf(server, page, newPerson());
  await page.close();
  await context.clearCookies({ name: 'stack-access' });
  let refreshes = 0;
  context.on('request', request => {
    if (request.url().endsWith('/auth/oauth/token')) refreshes++;
  });

  const tabs = await Promise.all(Array.from({ length: 5 }, () => context.newPage()));
  await Promise.all(tabs.map(tab => tab.goto('/shelf')));
  await Promise.all(tabs.map(tab => shelf(tab).waitFor()));
  expect(refreshes).toBe(1);
  expect(troubles).toEqual([]);
});
