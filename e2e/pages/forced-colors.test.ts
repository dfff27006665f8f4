import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { registerInBrowser } from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { configure, everything } from '../support/project.ts';
import { test } from '../support/test.ts';

test('control 108: forced colours show the open tab, the open section and the whole check mark of a switch', async ({
  server,
  page,
}) => {
  await configure(server, everything);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/handler/sign-in');
  const open = page.getByRole('tab', { selected: true });
  const closed = page.getByRole('tab', { selected: false });
  await open.waitFor();
  expect(await styleOf(open, 'border-top-style')).toBe('solid');
  expect(await styleOf(closed, 'border-top-style')).toBe('none');

  await registerInBrowser(server, page, newPerson());
  await page.goto('/handler/account-settings#notifications');
  const section = page.getByRole('link', { name: 'Notifications' });
  await page.getByRole('switch').first().waitFor();
  expect(await styleOf(section, 'border-top-style')).toBe('solid');
  expect(await styleOf(section, 'border-top-width')).toBe('1px');
  const knob = page.getByRole('switch').first();
  expect(await knob.evaluate(element => getComputedStyle(element, '::before').display)).toBe('none');
});

function styleOf(element: ReturnType<Page['locator']>, property: string): Promise<string> {
  return element.evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property);
}
