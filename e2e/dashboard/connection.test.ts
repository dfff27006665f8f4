import { expect } from 'vitest';
import { expectAccessible, test } from '../support/owner.ts';

test('an owner who goes offline reads that changes cannot be saved, keeps the account menu in the window, and saves when online', async ({
  server,
  context,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/settings`);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Lighthouse');
  await context.setOffline(true);
  await page.getByText(/changes cannot be saved until the connection is back/).waitFor();
  await expectAccessible(page);
  const menu = page.getByRole('button', { name: /^Account menu of/ });
  const isInWindow = () => menu.evaluate(button => button.getBoundingClientRect().bottom <= window.innerHeight);
  expect(await isInWindow()).toBe(true);
  await page.mouse.wheel(0, 10_000);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  expect(await isInWindow()).toBe(true);
  const save = name.locator('xpath=ancestor::form').getByRole('button', { name: 'Save' });
  await save.click();
  await page.getByText('This device is offline. Try again when the connection is back.').waitFor();

  await context.setOffline(false);
  await page.getByText(/^You are offline/).waitFor({ state: 'detached' });
  await save.click();
  await page.getByRole('button', { name: /Lighthouse/ }).waitFor();
});
