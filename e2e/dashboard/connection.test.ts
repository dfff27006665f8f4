import type { Locator, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, test } from '../support/owner.ts';
import { submitSignIn } from '../support/pages.ts';
import { configure, create } from '../support/project.ts';
import type { TesseraServer } from '../support/tessera-server.ts';

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

test('a form that a proxy answers with a web page says that the server could not be reached, and keeps its input', async ({
  server,
  context,
  page,
}) => {
  const { dialog, name } = await openTeamDialog(page, server);
  await name.fill('Quay');
  const answer = { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' };
  await context.route('**/api/v1/**', route => route.fulfill(answer));
  await name.press('Enter');
  await dialog.getByText('The server could not be reached. A proxy answered with status 502.').waitFor();
  await dialog.getByText('Your input is kept.').waitFor();
  expect(await name.inputValue()).toBe('Quay');
  await context.unroute('**/api/v1/**');
  await name.press('Enter');
  await page.getByRole('heading', { name: 'Quay', level: 1 }).waitFor();
});

test('a save that the server fails shows the trace id, in a form and in a message', async ({
  server,
  context,
  page,
}) => {
  const { dialog, name } = await openTeamDialog(page, server);
  const headers = { 'x-stack-request-id': 'trace-1' };
  const body = 'Something went wrong on our side. Request id: trace-1';
  const isSave = (request: Request) => request.method() !== 'GET';
  await context.route('**/api/v1/**', route =>
    isSave(route.request()) ? route.fulfill({ status: 500, headers, body }) : route.continue(),
  );
  await name.fill('Quay');
  await name.press('Enter');
  const sentence = 'The server answered with an error. Its log says why. Trace id trace-1';
  await dialog.getByRole('alert').getByText(sentence, { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/sign-in-methods`);
  await page.getByRole('switch', { name: 'Code or link by email' }).click();
  await page.getByText(sentence, { exact: true }).waitFor();
});

test('a dialog that is closed while its save runs says in a message that the save failed', async ({
  server,
  context,
  page,
}) => {
  const { name } = await openTeamDialog(page, server);
  const body = 'Something went wrong on our side. Request id: trace-1';
  let fail = () => {};
  const isClosed = new Promise<void>(resolve => {
    fail = resolve;
  });
  await context.route('**/api/v1/**', async route => {
    if (route.request().method() === 'GET') return route.continue();
    await isClosed;
    await route.fulfill({ status: 500, headers: { 'x-stack-request-id': 'trace-1' }, body });
  });
  await name.fill('Quay');
  const asked = page.waitForRequest(request => request.method() === 'POST');
  await name.press('Enter');
  await asked;
  await page.getByRole('button', { name: 'Cancel' }).click();
  await name.waitFor({ state: 'detached' });
  fail();
  await page.getByText('The server answered with an error. Its log says why. Trace id trace-1').waitFor();
});

test('a confirmation that is closed while its request runs says in a message that the request failed, and closes no other dialog', async ({
  server,
  context,
  page,
}) => {
  await create(server, 'teams', { display_name: 'Pontoon' });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/teams`);
  await page.getByRole('table').getByRole('link', { name: 'Pontoon' }).click();
  let fail = () => {};
  const isClosed = new Promise<void>(resolve => {
    fail = resolve;
  });
  await context.route('**/api/v1/teams/*', async route => {
    if (route.request().method() !== 'DELETE') return route.continue();
    await isClosed;
    await route.fulfill({ status: 403, headers: { 'x-stack-request-id': 'trace-1' }, body: 'The team is frozen.' });
  });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Delete the team' }).click();
  await dialog.getByRole('textbox').fill('Pontoon');
  const asked = page.waitForRequest(request => request.method() === 'DELETE');
  await page.keyboard.press('Enter');
  await asked;
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete the team' }).click();
  await dialog.getByRole('textbox').fill('Pont');
  fail();
  await page.getByText('The team is frozen.').waitFor();
  expect(await dialog.getByRole('textbox').inputValue()).toBe('Pont');
});

test('a page whose code is not loaded yet opens by itself when the device is online again', async ({
  server,
  context,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/settings`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
  await context.setOffline(true);
  await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await context.setOffline(false);
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
});

test('the session of an owner ends: the sign-in page says so, and not after a sign-out', async ({
  server,
  context,
  owner,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/settings`);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.waitFor();
  await context.clearCookies();
  const notice = page.getByText('Your session has ended.');
  await notice.waitFor();
  await page.getByRole('heading', { name: /^Sign in/ }).waitFor();
  await expectAccessible(page);

  await submitSignIn(page, owner);
  await name.waitFor();
  await page.getByRole('button', { name: /^Account menu of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: /^Sign in/ }).waitFor();
  expect(await notice.count()).toBe(0);
});

test('the session of an owner ends while a form is filled in: the form is kept until a sign-in in another tab', async ({
  server,
  context,
  owner,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/settings`);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Harbour');
  await context.clearCookies();
  const notice = page.getByRole('alert').filter({ hasText: 'Your session has ended' });
  await notice.waitFor();
  await expectAccessible(page);
  expect(await name.isVisible()).toBe(false);

  const [other] = await Promise.all([
    context.waitForEvent('page'),
    notice.getByRole('button', { name: 'Sign in again' }).click(),
  ]);
  await submitSignIn(other, owner);
  await notice.waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Harbour');
  await name.press('Enter');
  await page.getByRole('button', { name: /Harbour/ }).waitFor();
});

test('the session of an owner ends in another tab while a dialog is filled in: the dialog is back after a sign-in', async ({
  server,
  context,
  owner,
  page,
}) => {
  const { dialog, name } = await openTeamDialog(page, server);
  await name.fill('Harbour');
  await context.clearCookies();
  const notice = page.getByRole('alert').filter({ hasText: 'Your session has ended' });
  await notice.waitFor();
  expect(await dialog.count()).toBe(0);

  const [other] = await Promise.all([
    context.waitForEvent('page'),
    notice.getByRole('button', { name: 'Sign in again' }).click(),
  ]);
  await submitSignIn(other, owner);
  await notice.waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Harbour');
  await name.press('Enter');
  await page.getByRole('heading', { name: 'Harbour', level: 1 }).waitFor();
});

test('a link, Back and a reload ask before they lose the text of a dialog, which a saved dialog does not', async ({
  server,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/users`);
  await page.getByRole('link', { name: 'Teams' }).click();
  const { name } = await createTeam(page);
  await name.fill('Harbour');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });

  await page.goBack();
  await question.getByRole('button', { name: 'Stay' }).click();
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Webhooks' }).click();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Stay' }).click();
  // The collector of troubles dismisses the question of the browser.
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => window.location.reload());
  expect((await asked).type()).toBe('beforeunload');
  expect(await name.inputValue()).toBe('Harbour');

  await name.press('Enter');
  await page.getByRole('heading', { name: 'Harbour', level: 1 }).waitFor();
});

test('Escape asks before it discards the text of a dialog, and closes a dialog without changes at once', async ({
  server,
  page,
}) => {
  const { name } = await openTeamDialog(page, server);
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  await name.press('Escape');
  await name.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create a team' }).first().click();
  await name.fill('Quay');
  await name.press('Escape');
  await question.waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Quay');
  await name.press('Escape');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  expect(await name.inputValue()).toBe('Quay');
  await name.press('Escape');
  await question.getByRole('button', { name: 'Discard' }).click();
  await name.waitFor({ state: 'detached' });
});

test('a link, Back and a reload ask before they lose the text of a new project or a first domain, which saved ones do not', async ({
  server,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/`);
  await page.getByRole('link', { name: 'Create a project' }).first().click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Jetty');
  await expectQuestions(page, 'Tessera', name);
  await name.press('Enter');
  await page.getByRole('heading', { name: 'Get started', level: 1 }).waitFor();

  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('link', { name: 'Get started' }).click();
  const domain = page.getByRole('textbox', { name: 'Domain of your app' });
  await domain.fill('https://jetty.example.com');
  await expectQuestions(page, 'Webhooks', domain);
  await domain.press('Enter');
  await domain.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
});

/** Expects that Back, a link and a reload ask before they lose the text of a field. */
async function expectQuestions(page: Page, link: string, field: Locator): Promise<void> {
  const text = await field.inputValue();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.goBack();
  await question.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('link', { name: link }).click();
  await question.getByRole('button', { name: 'Stay' }).click();
  // The collector of troubles dismisses the question of the browser.
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => window.location.reload());
  expect((await asked).type()).toBe('beforeunload');
  expect(await field.inputValue()).toBe(text);
}

test('rereads that fail have one message, which a new try removes, and the values stay', async ({ server, page }) => {
  await configure(server, { allow_team_api_keys: true });
  await page.clock.install();
  const { name } = await openTeamDialog(page, server);
  await name.fill('Pier');
  await name.press('Enter');
  const empties = ['no member', 'no open invitation', 'no API key'].map(text => page.getByText(text));
  for (const empty of empties) await empty.waitFor();
  const api = '**/api/v1/**';
  const headers = { 'x-stack-request-id': 'trace-1' };
  await page.route(api, route => route.fulfill({ status: 500, headers, body: 'Internal Server Error' }));
  await rereadAll(page);

  const message = page.getByRole('status').filter({ hasText: 'could not be read again' });
  await message.getByText('Trace id trace-1').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  for (const empty of empties) expect(await empty.isVisible()).toBe(true);
  await expectAccessible(page);
  await page.unroute(api);
  await message.getByRole('button', { name: 'Try again' }).click();
  await message.waitFor({ state: 'detached' });
});

test('a page that waits for the server for seconds says so until the server answers', async ({ server, page }) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/webhooks`);
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await page.clock.install();
  let answer = () => {};
  const held = new Promise<void>(resolve => {
    answer = resolve;
  });
  await page.route('**/extensions/teams?*', async route => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest('**/extensions/teams?*');
  await page.getByRole('link', { name: 'Teams' }).click();
  await asked;
  const message = page.getByRole('status').filter({ hasText: 'The server has not answered yet' });
  await page.clock.runFor(3_000);
  expect(await message.count()).toBe(0);
  await page.clock.runFor(3_000);
  await message.waitFor();
  await expectAccessible(page);
  answer();
  await page.getByText('Create a team').first().waitFor();
  await message.waitFor({ state: 'detached' });
});

test('a page without polls notices by itself that the server answers again', async ({ server, page }) => {
  await page.clock.install();
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/settings`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
  const all = `${server.url}/**`;
  await page.route(all, route => route.fulfill({ status: 502, contentType: 'text/html', body: '' }));
  await rereadAll(page);
  const message = page.getByText('The server does not answer. Values may be old.');
  await message.waitFor();
  await page.clock.runFor(10_000);
  expect(await message.count()).toBe(1);
  await page.unroute(all);
  await page.clock.runFor(10_000);
  await message.waitFor({ state: 'detached' });
});

test('a sign-out that would lose unsaved changes asks first, and a kept page can be left', async ({
  server,
  context,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/settings`);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Pier');
  await page.getByRole('button', { name: /^Account menu of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  expect(await name.inputValue()).toBe('Pier');

  await context.clearCookies();
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  await page.getByRole('heading', { name: /^Sign in/ }).waitFor();
});

/** Goes to the window after the values of the page have become old. Needs an installed clock. */
async function rereadAll(page: Page): Promise<void> {
  await page.clock.runFor(20_000);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
}

async function openTeamDialog(page: Page, { url, keys }: TesseraServer) {
  await page.goto(`${url}/dashboard/projects/${keys.projectId}/teams`);
  return createTeam(page);
}

async function createTeam(page: Page) {
  await page.getByRole('button', { name: 'Create a team' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create a team' });
  return { dialog, name: dialog.getByRole('textbox', { name: 'Name' }) };
}
