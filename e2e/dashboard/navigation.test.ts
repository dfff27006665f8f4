import { expect } from 'vitest';
import { expectAccessible, test } from '../support/owner.ts';
import { create } from '../support/project.ts';

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

test('keys that are typed before the palette has loaded are kept for it, and Enter runs the command', async ({
  server,
  page,
  troubles,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/overview`);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route(/\/assets\/.*\.js/, async route => {
    await released;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('webhok');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('ok');
  await page.keyboard.press('Enter');
  expect(await page.getByRole('dialog').count()).toBe(0);
  release();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('smtp');
  await expect.poll(() => page.getByRole('combobox', { name: 'Command palette' }).inputValue()).toBe('smtp');
  expect(troubles).toEqual([]);
});

test('the palette tells a screen reader the selected command before a key is pressed and while the user types', async ({
  server,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/overview`);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Command palette' });
  const active = () =>
    palette.evaluate(input => {
      const id = input.getAttribute('aria-activedescendant') ?? '';
      return input.ownerDocument.getElementById(id)?.textContent;
    });
  await expect.poll(active).toBe('Get started');
  await palette.fill('smtp');
  await expect.poll(active).toBe('Emails');
  await palette.press('ArrowDown');
  await expect.poll(active).toBe('Find users: smtp');
});

test('the search button names the keys of the machine', async ({ server, page }) => {
  const search = page.getByRole('button', { name: /^Search/ });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/overview`);
  await search.getByText('Ctrl K').waitFor();
  await page.addInitScript(() => Object.defineProperty(navigator, 'platform', { value: 'MacIntel' }));
  await page.reload();
  await search.getByText('⌘ K').waitFor();
});

test('Ctrl K opens the search, and Ctrl Shift K is left to the browser', async ({ server, page }) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/overview`);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  const prevented = () =>
    page.evaluate(() => {
      const keys = { key: 'K', ctrlKey: true, shiftKey: true, bubbles: true, cancelable: true };
      return !document.body.dispatchEvent(new KeyboardEvent('keydown', keys));
    });
  expect(await prevented()).toBe(false);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor();
});

test('a screen reader hears the title of a page after a navigation within the dashboard', async ({ server, page }) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/overview`);
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Domains' }).press('Enter');
  await page.getByRole('status').getByText('Domains · Demo · Tessera').waitFor();
});

test('the palette finds a team by a part of its name, and opens its page', async ({ server, page, troubles }) => {
  await create(server, 'teams', { display_name: 'Difference Engine Works' });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/overview`);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Command palette' });
  await palette.fill('engine w');
  const found = page.getByRole('group', { name: 'Teams' }).getByRole('option', { name: 'Difference Engine Works' });
  await found.waitFor();
  await expectAccessible(page);
  await palette.fill('engine x');
  await found.waitFor({ state: 'detached' });
  await palette.fill('engine w');
  await found.click();
  await page.getByRole('heading', { name: 'Difference Engine Works', level: 1 }).waitFor();
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
