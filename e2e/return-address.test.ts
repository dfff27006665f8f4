import { expect } from 'vitest';
import { register } from './support/api.ts';
import { authForm, shelf, signInHeading, submitSignIn, submitSignUp } from './support/pages.ts';
import { newPerson } from './support/people.ts';
import { test } from './support/test.ts';

test('a protected page leads to sign-in and back, with its query', async ({ server, page, troubles }) => {
  const person = newPerson();
  await register(server, person);

  await page.goto('/account?from=mail#name');
  await signInHeading(page).waitFor();
  expect(new URL(page.url()).pathname).toBe('/handler/sign-in');
  expect(new URL(page.url()).searchParams.get('after_auth_return_to')).toBe('/account?from=mail#name');

  await submitSignIn(page, person);
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  const { pathname, search, hash } = new URL(page.url());
  expect(pathname + search + hash).toBe('/account?from=mail#name');
  expect(troubles).toEqual([]);
});

test('the sign-up page keeps the return address', async ({ page, troubles }) => {
  await page.goto('/account');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await authForm(page).signUp.waitFor();
  await submitSignUp(page, newPerson());
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  expect(troubles).toEqual([]);
});

test('sign-in replaces the protected page in the history, so back does not return to it', async ({ server, page }) => {
  const person = newPerson();
  await register(server, person);
  await page.goto('/');
  await page.getByRole('link', { name: 'Your shelf', exact: true }).click();
  await signInHeading(page).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Start your shelf' }).waitFor();

  await page.getByRole('link', { name: 'Your shelf', exact: true }).click();
  await submitSignIn(page, person);
  await shelf(page).waitFor();
  await page.goBack();
  await page.waitForURL(url => url.pathname === '/');
});

const evil = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/\t/evil.example/',
  '/..//evil.example/',
  '/%2e//evil.example/',
  '/%09/evil.example/',
  '\\\\evil.example',
  'https:evil.example',
  'javascript:document.title="taken"',
  'data:text/html,taken',
];

test.for(evil)('control 48: sign-in does not redirect to %j', async (target, { server, context, page, demo }) => {
  const person = newPerson();
  await register(server, person);
  const elsewhere: string[] = [];
  context.on('request', request => {
    const isOurs = [demo.url, server.url].includes(new URL(request.url()).origin);
    if (!isOurs) elsewhere.push(request.url());
  });

  await page.goto(`/handler/sign-in?after_auth_return_to=${encodeURIComponent(target)}`);
  await submitSignIn(page, person);
  // An encoded path is ours, and has no page.
  await page.getByRole('heading', { level: 1, name: /^(You're signed in|Nothing on this shelf)/ }).waitFor();
  expect(new URL(page.url()).origin).toBe(demo.url);
  expect(await page.title()).not.toContain('taken');
  expect(elsewhere).toEqual([]);
});
