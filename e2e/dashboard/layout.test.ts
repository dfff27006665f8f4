import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { call, register } from '../support/api.ts';
import { test } from '../support/owner.ts';
import { newPerson } from '../support/people.ts';
import { configure, create } from '../support/project.ts';

const box = async (element: Locator) => {
  const found = await element.boundingBox();
  if (found === null) throw new Error('the element is not visible');
  return found;
};

/** How much of a text its box cuts. */
const cutPx = (element: Locator) =>
  element.evaluate(node => Math.max(node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight, 0));

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

test('the account menu shows the address that its button cuts', async ({ server, owner, page }) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/settings`);
  await page.getByRole('button', { name: /^Account menu of/ }).click();
  const address = page.getByRole('menu').getByText(owner.email);
  await address.waitFor();
  expect(await address.evaluate(element => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
});

test('on a phone the lists of users, emails and events and the failed sign-ins show whom a row is about', async ({
  server,
  page,
}) => {
  const email = 'margarethe.hoffmann@example.com';
  await register(server, { ...newPerson(), email });
  await call(server, 'POST /auth/password/sign-in', { body: { email, password: 'wrong horse battery' } });
  await page.setViewportSize({ width: 360, height: 740 });
  const project = `${server.url}/dashboard/projects/${server.keys.projectId}`;
  const rows = [
    ['users', page.getByRole('table')],
    ['emails', page.getByRole('table')],
    ['audit-log', page.getByRole('table')],
    ['overview', page.getByRole('region', { name: 'Newest users' })],
    ['overview', page.getByRole('region', { name: 'Failed sign-ins' })],
  ] as const;
  for (const [path, list] of rows) {
    await page.goto(`${project}/${path}`);
    const text = list.getByText(email).first();
    await text.waitFor();
    expect(`${path}: ${await cutPx(text)}`).toBe(`${path}: 0`);
  }
});

test('a right-to-left name that is too long for its place loses its end, not its beginning', async ({
  server,
  page,
}) => {
  const name = 'شركة الاتصالات السعودية للخدمات والتجارة والنقل والشحن السريع بين المدن الكبيرة في المملكة';
  await create(server, 'users', { primary_email: newPerson().email, display_name: name });
  await create(server, 'teams', { display_name: name });
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ['users', 'teams', 'overview']) {
    await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/${path}`);
    const link = page.getByRole('main').getByRole('link', { name });
    await link.waitFor();
    const hiddenPx = await link.evaluate(element => {
      const first = document.createRange();
      first.setStart(element.firstChild ?? element, 0);
      first.setEnd(element.firstChild ?? element, 1);
      return first.getBoundingClientRect().right - element.getBoundingClientRect().right;
    });
    expect(`${path}: ${Math.max(0, Math.round(hiddenPx))}`).toBe(`${path}: 0`);
  }
});

test('the buttons of a row do not touch, so a slip does not hit the next one', async ({ server, page }) => {
  const project = `${server.url}/dashboard/projects/${server.keys.projectId}`;
  const rows = [
    ['sign-in-methods', 'Switch off Google', 'Test Google'],
    ['permissions', 'Edit the permission team_admin', 'Delete the permission team_admin'],
  ] as const;
  for (const [path, first, second] of rows) {
    await page.goto(`${project}/${path}`);
    const { x, width } = await box(page.getByRole('button', { name: first }));
    const next = await box(page.getByRole('button', { name: second }));
    expect(next.x - x - width).toBeGreaterThanOrEqual(8);
  }
});

test('the placeholder of the first load keeps the distance of a page from the edges of the window', async ({
  server,
  page,
}) => {
  await page.route('**/users/me', () => {});
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  const { x, y } = await box(page.getByRole('status', { name: 'Loading' }));
  expect([x, y]).toEqual([32, 32]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('control 108: forced colours show the open page, the pressed button and the chosen result of the palette', async ({
  server,
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/emails/messages/new`);
  const background = (element: Locator) => element.evaluate(node => getComputedStyle(node).backgroundColor);
  const pressed = page.getByRole('button', { name: 'Blocks' });
  await pressed.waitFor();
  expect(await background(pressed)).not.toBe(await background(page.getByRole('button', { name: 'Source' })));
  const links = page.getByRole('navigation').getByRole('link');
  expect(await background(links.filter({ hasText: 'Emails' }))).not.toBe(
    await background(links.filter({ hasText: 'Webhooks' })),
  );
  await page.keyboard.press('Control+k');
  const results = page.getByRole('dialog');
  const chosen = results.getByRole('option', { selected: true });
  await chosen.waitFor();
  expect(await background(chosen)).not.toBe(await background(results.getByRole('option', { selected: false }).first()));
});

test('a printed page is the page without navigation, and a table is not cut', async ({ server, page }) => {
  await register(server, newPerson());
  await page.setViewportSize({ width: 1024, height: 400 });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  const table = page.getByRole('table');
  await table.waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation').count()).toBe(0);
  expect((await box(page.getByRole('main'))).x).toBe(0);
  expect(await table.evaluate(({ parentElement }) => getComputedStyle(parentElement ?? document.body).maxHeight)).toBe(
    'none',
  );
  await page.setViewportSize({ width: 718, height: 400 });
  expect(await page.getByRole('button', { name: 'Open the menu' }).isVisible()).toBe(false);
});

test('a long name of the first user does not widen the page "Get started"', async ({ server, page }) => {
  const { accessToken } = await register(server, newPerson());
  const body = { display_name: 'Wolfeschlegelsteinhausen'.repeat(10) };
  expect((await call(server, 'PATCH /users/me', { body, accessToken })).status).toBe(200);
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/get-started`);
  await page.getByText('has an account.').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
});

test('pages with text of twice the size fit a phone', async ({ server, page }) => {
  await configure(server, { credential_enabled: true, oauth_providers: [{ id: 'google', type: 'shared' }] });
  const person = newPerson();
  await register(server, person);
  await page.setViewportSize({ width: 390, height: 844 });
  const project = `${server.url}/dashboard/projects/${server.keys.projectId}`;
  const overflowPx = () =>
    page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
      return document.documentElement.scrollWidth - window.innerWidth;
    });

  await page.goto(`${project}/sign-in-methods`);
  await page.getByRole('button', { name: 'Switch off Google' }).waitFor();
  expect(await overflowPx()).toBe(0);
  await page.goto(`${project}/settings`);
  await page.getByText('(you)').waitFor();
  expect(await overflowPx()).toBe(0);
  await page.goto(`${project}/users`);
  await page.getByRole('link', { name: person.email }).click();
  await page.getByRole('button', { name: `Actions for ${person.email}` }).waitFor();
  await page.getByRole('tab', { name: 'Server metadata' }).waitFor();
  expect(await overflowPx()).toBe(0);
});

test('control 108: with text of twice the size on the narrowest phone each cell of a table is inside its row', async ({
  server,
  page,
}) => {
  await register(server, newPerson());
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of ['users', 'audit-log']) {
    await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/${path}`);
    const row = page.getByRole('row').nth(1);
    await row.waitFor();
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    const { x, width } = await box(row);
    for (const cell of await row
      .getByRole('cell')
      .filter({ has: page.locator('a, time') })
      .all()) {
      const inside = await box(cell);
      expect(inside.x + inside.width).toBeLessThanOrEqual(x + width);
      expect(inside.width).toBeGreaterThan(width / 2);
    }
  }
});

test('the audit log shows complete IP addresses in a window of 1024 pixels', async ({ server, page }) => {
  const address = '203.110.113.195';
  await page.route('**/extensions/audit-log?*', async route => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({
      response,
      json: { ...body, items: body.items.map((item: object) => ({ ...item, address })) },
    });
  });
  await register(server, newPerson());
  await page.setViewportSize({ width: 1024, height: 700 });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/audit-log`);
  const text = page.getByText(address).first();
  await text.waitFor();
  const lines = await text.evaluate(element => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return [range.getClientRects().length, element.scrollWidth - element.clientWidth];
  });
  expect(lines).toEqual([1, 0]);
});

test('the date fields of the audit log are as wide as Firefox needs for an empty date', async ({ server, page }) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/audit-log`);
  // Firefox cuts what does not fit: "mm / dd / yyyy" in our padding, with its calendar button, is 169 pixels wide.
  for (const name of ['From', 'To and including']) {
    expect((await box(page.getByLabel(name, { exact: true }))).width).toBeGreaterThanOrEqual(169);
  }
});

test('the state of a sign-in method is one line on the narrowest phone', async ({ server, page }) => {
  const { email } = newPerson();
  await create(server, 'users', { primary_email: email });
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users?q=${email}`);
  await page.getByRole('table', { name: 'Users' }).getByRole('link', { name: email }).click();
  const methods = page.getByRole('region', { name: 'Sign-in methods' }).getByRole('listitem');
  const heights = await Promise.all(
    ['Password', 'Passkey'].map(async name => {
      const state = methods.filter({ hasText: name }).getByText(/^(on|off)$/);
      return (await box(state)).height;
    }),
  );
  expect(heights[0]).toBe(heights[1]);
});

test('control 108: pages with text of twice the size fit the narrowest phone', async ({ server, page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  const pages = [
    ['unknown/users', 'link', 'Go to your projects'],
    [`${server.keys.projectId}/get-started`, 'button', /^Send a test to/],
    [`${server.keys.projectId}/api-keys`, 'button', /^Revoke/],
    [`${server.keys.projectId}/permissions`, 'button', 'Delete the permission team_admin'],
    [`${server.keys.projectId}/settings`, 'link', 'Open the domains'],
    [`${server.keys.projectId}/emails/messages/new`, 'button', 'Source'],
  ] as const;
  for (const [path, role, name] of pages) {
    await page.goto(`${server.url}/dashboard/projects/${path}`);
    await page.getByRole(role, { name }).first().waitFor();
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    const widthPx = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(`${path}: ${widthPx}`).toBe(`${path}: 320`);
  }
});

test('control 108: with text of twice the size the overview and the audit log fit a window of 1280 pixels', async ({
  server,
  page,
}) => {
  // The charts are shown when there are users.
  await register(server, newPerson());
  const { email } = newPerson();
  await call(server, 'POST /auth/password/sign-in', { body: { email, password: 'wrong horse battery' } });
  await page.setViewportSize({ width: 1280, height: 800 });
  const pages = [
    ['audit-log', page.getByRole('button', { name: 'Find the request' })],
    ['overview', page.getByRole('region', { name: 'Failed sign-ins' }).getByRole('listitem')],
  ] as const;
  for (const [path, last] of pages) {
    await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/${path}`);
    await last.first().waitFor();
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    // A chart takes its new width when the browser reports it.
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: path }).toBe(1280);
  }
});

test('control 108: with text of twice the size on a phone no text is below a switch or leaves the box of a figure', async ({
  server,
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const project = `${server.url}/dashboard/projects/${server.keys.projectId}`;
  const enlarge = () => page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  await page.goto(`${project}/sign-in-methods`);
  const label = page.locator('label').filter({ hasText: 'Users choose a password' });
  await label.waitFor();
  await enlarge();
  expect(await cutPx(label.locator('span').first())).toBe(0);

  await page.goto(`${project}/overview`);
  const figures = page.getByRole('term');
  await figures.first().waitFor();
  await enlarge();
  for (const figure of await figures.all()) expect(await cutPx(figure)).toBe(0);
});

test('the chart of months has no overlapping labels on a phone', async ({ server, page }) => {
  await page.route('**/extensions/metrics-history?*', async route => {
    const response = await route.fetch();
    const body = await response.json();
    const months = body.months.map((month: object) => ({ ...month, active_users: 12 }));
    await route.fulfill({ response, json: { ...body, months } });
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/overview`);
  const chart = page.getByRole('region', { name: 'Active users per month' });
  const labels = chart.locator('svg text').filter({ hasText: /^[A-Z]/ });
  await labels.first().waitFor();
  const boxes = await Promise.all((await labels.all()).map(box));
  const gapsPx = boxes.slice(1).map(({ x }, index) => x - (boxes[index]?.x ?? 0) - (boxes[index]?.width ?? 0));
  expect(Math.min(...gapsPx)).toBeGreaterThan(0);
});

test('the list of events shows the complete name of an event on a phone', async ({ server, page }) => {
  await page.route('**/extensions/audit-log?*', async route => {
    const response = await route.fetch();
    const body = await response.json();
    const items = body.items.map((item: object) => ({ ...item, action: 'project.mail_quota_reached' }));
    await route.fulfill({ response, json: { ...body, items } });
  });
  await register(server, newPerson());
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/audit-log`);
  const event = page.getByRole('table').getByRole('link', { name: 'Email limit of the project reached' }).first();
  await event.waitFor();
  expect(await cutPx(event)).toBe(0);
});
