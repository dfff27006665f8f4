import { expect } from 'vitest';
import { register } from '../support/api.ts';
import {
  authForm,
  openShelf,
  registerInBrowser,
  shelf,
  submitSignIn,
  submitSignUp,
  userMenu,
} from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { test } from '../support/test.ts';

const unreachable = "We can't reach the server. Check your connection and try again.";

test('control 46: the server stops during a sign-in: the page shows it, sends the request once, keeps the input, and works when the server is back', async ({
  server,
  page,
}) => {
  const person = newPerson();
  await register(server, person);
  await page.goto('/handler/sign-in');
  const form = authForm(page);
  await form.email.waitFor();
  // The SDK repeats the write under one idempotency key, so that it takes effect once.
  const sent = new Set<string | undefined>();
  page.on('request', request => {
    if (request.method() !== 'POST' || !request.url().endsWith('/auth/password/sign-in')) return;
    sent.add(request.headers()['idempotency-key']);
  });

  server.pause();
  const underWay = page.waitForRequest(/sign-in$/);
  await submitSignIn(page, person);
  await underWay;
  await server.kill();
  await page.getByRole('alert').getByText(unreachable).waitFor();
  expect(await form.email.inputValue()).toBe(person.email);
  expect(await form.password.inputValue()).toBe(person.password);
  expect(sent.size).toBe(1);

  await server.start();
  await form.signIn.click();
  await shelf(page).waitFor();
  expect(sent.size).toBe(2);
});

test('the server is unreachable during a sign-up: the form keeps its input and works when the server is back', async ({
  server,
  page,
}) => {
  const person = newPerson();
  await page.goto('/handler/sign-up');
  const form = authForm(page);
  await form.email.waitFor();

  await server.stop();
  await submitSignUp(page, person);
  await page.getByRole('alert').getByText(unreachable).waitFor();
  expect(await form.email.inputValue()).toBe(person.email);
  expect(await form.password.inputValue()).toBe(person.password);

  await server.start();
  await form.signUp.click();
  await shelf(page).waitFor();
});

test('control 40: a signed-in user stays signed in while the server is unreachable', async ({
  server,
  context,
  page,
}) => {
  const person = newPerson();
  await openShelf(server, page, person);
  const refreshCookie = async () => (await context.cookies()).find(({ name }) => name.startsWith('stack-refresh'));
  const before = await refreshCookie();

  await server.stop();
  await page.reload();
  await page.getByRole('heading', { name: "This page couldn't be loaded" }).waitFor();
  expect((await refreshCookie())?.value).toBe(before?.value);

  await server.start();
  await page.getByRole('button', { name: 'Try again' }).click();
  await shelf(page).waitFor();
  await userMenu(page, person.email).waitFor();
});

test('an offline page keeps the user and what could not be saved, and a second try saves it', async ({
  server,
  context,
  page,
}) => {
  await openShelf(server, page, newPerson());
  const title = page.getByRole('textbox', { name: 'Title' });

  await context.setOffline(true);
  for (const book of ['Piranesi', 'Middlemarch']) {
    await title.fill(book);
    await title.press('Enter');
  }
  await title.fill('Gilead');
  const tryAgain = page.getByRole('alert').getByRole('button', { name: 'Try again' });
  await tryAgain.waitFor();
  expect(await title.inputValue()).toBe('Gilead');
  expect(await page.getByRole('listitem').count()).toBe(2);

  await context.setOffline(false);
  const saved = page.waitForResponse(response => response.request().method() === 'PATCH' && response.ok());
  await tryAgain.click();
  await saved;
  await tryAgain.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('listitem').filter({ hasText: 'Middlemarch' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Piranesi' }).waitFor();
});

test('a form that is sent for the first time while the page is offline says so', async ({ context, page }) => {
  const person = newPerson();
  await page.goto('/handler/sign-up');
  await authForm(page).email.waitFor();
  await page.waitForLoadState('networkidle');

  await context.setOffline(true);
  await submitSignUp(page, person);
  await page.getByRole('alert').getByText("You're offline. Check your connection.").waitFor();
});

test('a name that could not be saved stays in its field', async ({ server, page }) => {
  const person = newPerson();
  await registerInBrowser(server, page, person);
  await page.goto('/account');
  const name = page.getByRole('textbox', { name: 'Display name' });
  await name.fill('Ada');

  await server.stop();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').getByText("This couldn't be saved.").waitFor();
  expect(await name.inputValue()).toBe('Ada');

  await server.start();
  await page.getByRole('button', { name: 'Save' }).click();
  await userMenu(page, 'Ada').waitFor();
});
