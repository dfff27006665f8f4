import { expect } from 'vitest';
import { expectAccessible, test } from '../support/owner.ts';

test('an unknown path below a project keeps the navigation, whose palette leads to a search for teams', async ({
  server,
  page,
  troubles,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/nope`);
  await page.getByRole('heading', { name: 'There is no such page', level: 1 }).waitFor();
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Teams' }).waitFor();
  expect(await page.getByRole('main').count()).toBe(1);
  await expectAccessible(page);

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Command palette' });
  await palette.fill('smtp');
  await page.getByRole('option', { name: 'Emails' }).waitFor();
  await palette.fill('Engines');
  await page.getByRole('option', { name: 'Find teams: Engines' }).click();
  await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('Engines');
  expect(troubles).toEqual([]);
});

test('on the address of a project of another account the switcher says what it does and leads to the own projects', async ({
  server,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/00000000-0000-4000-8000-000000000000/users`);
  await page.getByRole('heading', { name: 'You have no such project' }).waitFor();
  await page.getByRole('button', { name: 'Switch project', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Demo' }).click();
  await page.getByRole('button', { name: 'Switch project: Demo' }).waitFor();
});
