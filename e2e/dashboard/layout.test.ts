import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { test } from '../support/owner.ts';

const box = async (element: Locator) => {
  const found = await element.boundingBox();
  if (found === null) throw new Error('the element is not visible');
  return found;
};

test('the field of the command palette stays in its place while the number of results changes', async ({
  server,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Command palette' });
  const before = await box(field);
  await field.fill('no command');
  await page.getByRole('option', { name: 'Overview' }).waitFor({ state: 'detached' });
  expect(await box(field)).toEqual(before);
});
