import { expect } from 'vitest';
import { waitForFocus } from './support/pages.ts';
import { configure, everything } from './support/project.ts';
import { test } from './support/test.ts';

test('the sign-in and sign-up pages with every method fit a window of 1280 by 800, and the first field has the focus', async ({
  server,
  page,
}) => {
  await configure(server, everything);
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const [path, action] of [
    ['/handler/sign-in', 'Sign in'],
    ['/handler/sign-up', 'Sign up'],
  ] as const) {
    await page.goto(path);
    await waitForFocus(page.getByRole('textbox', { name: 'Email' }));
    await page.getByRole('button', { name: `${action} with Spotify` }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(800);
  }
});

test("a page of an app that keeps the browser's margin of the body does not scroll", async ({ server, page }) => {
  await configure(server, everything);
  await page.addInitScript(() =>
    new MutationObserver(() => {
      document.body?.setAttribute('style', 'margin: 8px; min-height: 0');
    }).observe(document, { childList: true, subtree: true }),
  );
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/handler/error');
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(800);
});

test('the card stays in its place when the tab changes, and the code step replaces it', async ({ server, page }) => {
  await configure(server, everything);
  await page.goto('/handler/sign-in');
  const top = () => page.locator('.tessera-card').evaluate(card => card.getBoundingClientRect().top);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  await page.getByRole('tab', { name: 'Password' }).click();
  const before = await top();
  await page.getByRole('tab', { name: 'Email code' }).click();
  expect(await top()).toBe(before);

  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  expect(await top()).toBe(before);
  expect(await page.getByRole('tab').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Sign in with GitHub' }).count()).toBe(0);

  await page.getByRole('button', { name: 'Change: Email' }).click();
  const email = page.getByRole('textbox', { name: 'Email' });
  await waitForFocus(email);
  expect(await email.inputValue()).toBe('ada@example.com');
  expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Email code');
});
