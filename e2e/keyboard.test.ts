import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { authForm, shelf } from './support/pages.ts';
import { newPerson } from './support/people.ts';
import { test } from './support/test.ts';

test('control 108: a user signs up, adds a book and signs out with the keyboard, and the focus is always visible', async ({
  page,
  troubles,
}) => {
  const person = newPerson();
  await page.goto('/');
  await page.getByRole('link', { name: 'Start your shelf' }).waitFor();

  await tabTo(page, 'Start your shelf');
  await page.keyboard.press('Enter');
  await authForm(page).email.waitFor();
  await expect.poll(() => focused(page)).toMatchObject({ name: 'Email', isVisible: true });
  await page.keyboard.type(person.email);
  await tabTo(page, 'Password');
  await page.keyboard.type(person.password);
  await tabTo(page, 'Show password');
  await page.keyboard.press('Space');
  await expect.poll(() => authForm(page).password.getAttribute('type')).toBe('text');
  await tabTo(page, 'Create account');
  await page.keyboard.press('Enter');
  await shelf(page).waitFor();

  await tabTo(page, 'Title');
  await page.keyboard.type('Piranesi');
  await page.keyboard.press('Enter');
  await page.getByText('Piranesi').waitFor();

  await tabTo(page, 'Place of Piranesi');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('heading', { name: 'Reading 1' }).waitFor();
  await expect.poll(async () => (await focused(page)).name).toBe('Place of Piranesi');
  await tabTo(page, 'Remove Piranesi');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing here yet.').waitFor();
  await expect.poll(async () => (await focused(page)).name).toBe('Your shelf');

  await tabTo(page, `Account menu of ${person.email}`);
  await page.keyboard.press('Enter');
  // The menu is visible shortly before it takes the focus. A key that is pressed in between reaches the button.
  await expect.poll(async () => (await focused(page)).name).toBe('Account settings');
  await page.keyboard.press('End');
  await expect.poll(async () => (await focused(page)).name).toBe('Sign out');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Start your shelf' }).waitFor();
  expect(troubles).toEqual([]);
});

test('a screen reader hears the title of the page after a navigation without a page load', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Start your shelf' }).press('Enter');
  await authForm(page).email.waitFor();
  await page.getByRole('status').getByText('Create your account · Shelfmark').waitFor();
});

test('the account menu opens and closes with the keyboard and returns the focus', async ({ page }) => {
  await page.goto('/');
  const button = page.getByRole('button', { name: 'Account menu' });
  await button.waitFor();
  await tabTo(page, 'Account menu');
  await page.keyboard.press('Enter');
  await page.locator('[role=menuitem]:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  // The focus returns when the menu is removed, shortly after it becomes invisible.
  await expect.poll(async () => (await focused(page)).name).toBe('Account menu');
});

const mostStops = 30;

/** Presses Tab until the element with that name has the focus. Every stop on the way must be visible. */
async function tabTo(page: Page, name: string): Promise<void> {
  const stops: string[] = [];
  for (let count = 0; count < mostStops; count++) {
    await page.keyboard.press('Tab');
    const stop = await focused(page);
    if (stop.name !== '') expect(stop, `the focus on "${stop.name}" is visible`).toMatchObject({ isVisible: true });
    if (stop.name === name) return;
    stops.push(stop.name);
  }
  throw new Error(`Tab does not lead to "${name}". It led to: ${stops.join(', ')}.`);
}

/** The focused element: its name, and whether an outline or a ring shows the focus. */
function focused(page: Page): Promise<{ name: string; isVisible: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { name: '', isVisible: false };
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
    const name = element.getAttribute('aria-label') ?? label ?? element.textContent ?? '';
    const hasOutline = outlineStyle !== 'none' && outlineWidth !== '0px';
    return { name: name.trim(), isVisible: hasOutline || boxShadow !== 'none' };
  });
}
