import { generateKeyPairSync } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { call, signUp } from '../support/api.ts';
import { openProfile } from '../support/chromium.ts';
import { expectAccessible, test } from '../support/owner.ts';
import {
  authForm,
  descriptionOf,
  signInAtProvider,
  submitSignUp,
  waitForFocus,
  waitUntilSaved,
} from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { configure } from '../support/project.ts';
import { withoutRedirects } from '../support/troubles.ts';

test('an owner switches methods, and the project tells its apps', async ({ server, page, troubles }) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/sign-in-methods`);
  const passkey = page.getByRole('switch', { name: 'Passkey' });
  const before = await passkey.isChecked();
  await passkey.focus();
  await page.keyboard.press('Space');
  await waitUntilSaved(passkey);
  expect((await configOf(server)).passkey_enabled).toBe(!before);
  // The second press comes before the first one is saved.
  await page.keyboard.press('Space');
  await page.keyboard.press('Space');
  await waitUntilSaved(passkey);
  expect(await passkey.isChecked()).toBe(!before);
  expect((await configOf(server)).passkey_enabled).toBe(!before);
  await page.getByRole('switch', { name: 'New users can sign up' }).uncheck();
  await expect.poll(() => configOf(server).then(config => config.sign_up_enabled)).toBe(false);
  await expectAccessible(page);

  await page.reload();
  expect(await page.getByRole('switch', { name: 'New users can sign up' }).isChecked()).toBe(false);
  await page.getByRole('switch', { name: 'New users can sign up' }).check();
  await expect.poll(() => configOf(server).then(config => config.sign_up_enabled)).toBe(true);
  expect(troubles).toEqual([]);
});

test('an owner restricts the addresses that can sign up, tests one, and the sign-up page refuses it', async ({
  server,
  demo,
  browser,
  page,
  troubles,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/sign-in-methods`);
  const panel = page.getByRole('region', { name: 'Who can sign up' });
  const [allowed, blocked] = ['Allowed addresses', 'Blocked addresses'].map(name =>
    panel.getByRole('textbox', { name }),
  ) as [Locator, Locator];
  const save = panel.getByRole('button', { name: 'Save' });
  await blocked.fill('rival.example, Eve@Example.com\nnonsense\nrival.example');
  await save.click();
  await panel.getByText('Not a domain or an address: nonsense').waitFor();
  await waitForFocus(blocked);
  await expectAccessible(page);

  await blocked.fill('*.rival.example rival.example Eve@Example.com rival.example');
  await allowed.fill('ada@rival.example\nexample.com');
  const tester = panel.getByRole('textbox', { name: 'Test an address' });
  for (const [address, verdict] of [
    ['Ada@rival.example', 'ada@rival.example is allowed.'],
    ['bob@rival.example', 'rival.example is blocked.'],
    ['bob@other.example', 'Only the allowed addresses can sign up, and this is not one of them.'],
  ] as const) {
    await tester.fill(address);
    await panel.getByText(verdict, { exact: true }).waitFor();
  }
  await expectAccessible(page);
  const saved = page.getByText('The addresses that can sign up are saved');
  await save.click();
  await saved.waitFor();
  expect(await blocked.inputValue()).toBe('*.rival.example\nrival.example\neve@example.com');
  await page.reload();
  expect(await allowed.inputValue()).toBe('ada@rival.example\nexample.com');

  const visitor = await (await openProfile(browser, { baseURL: demo.url })).newPage();
  await visitor.goto('/handler/sign-up');
  const form = authForm(visitor);
  await submitSignUp(visitor, { ...newPerson(), email: 'bob@rival.example' });
  const refusal = "This address isn't accepted here. Use another one.";
  await visitor.getByText(refusal).waitFor();
  expect(await descriptionOf(form.email)).toContain(refusal);
  await waitForFocus(form.email);
  await visitor.context().close();

  await allowed.fill('');
  await blocked.fill('');
  await save.click();
  await saved.waitFor();
  expect((await signUp(server, { ...newPerson(), email: 'bob@rival.example' })).status).toBe(200);
  expect(troubles).toEqual([]);
});

test('Apple is set up with its key file, and the form shows the stored ids and not the key', async ({
  server,
  page,
  troubles,
}) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/sign-in-methods?provider=apple`);
  const dialog = page.getByRole('dialog', { name: 'Set up Apple' });
  await dialog.getByText('in its field “Return URLs”').waitFor();
  expect(await descriptionOf(dialog.getByLabel('Client ID'))).toContain('Services ID');
  await dialog.getByLabel('Client ID').fill('com.example.web');
  const file = dialog.getByLabel('Key file');
  await file.setInputFiles({ name: 'notes.p8', mimeType: 'text/plain', buffer: Buffer.from('notes') });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('This is not a key file of Apple.').waitFor();
  await expectAccessible(page);
  await file.setInputFiles({ name: 'AuthKey_KEY0123456.p8', mimeType: 'text/plain', buffer: Buffer.from(pem) });
  await expect.poll(() => dialog.getByLabel('Key ID').inputValue()).toBe('KEY0123456');
  await dialog.getByLabel('Team ID').fill('TEAM012345');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Change Apple' }).click();
  const change = page.getByRole('dialog', { name: 'Change Apple' });
  expect(await change.getByLabel('Team ID').inputValue()).toBe('TEAM012345');
  await change.getByText('Choose no file to keep it.').waitFor();
  expect(troubles).toEqual([]);
});

test('a provider is set up with own keys, keeps its secret through a change, and is switched off', async ({
  server,
  page,
  troubles,
}) => {
  const address = `${server.url}/dashboard/projects/${server.keys.projectId}/sign-in-methods`;
  await page.goto(`${address}?provider=discord`);
  const dialog = page.getByRole('dialog', { name: 'Set up Discord' });
  await dialog.getByText('enter this callback URL in its field “Redirects”').waitFor();
  await dialog.getByText(`${server.url}/api/v1/auth/oauth/callback/discord`).waitFor();
  await dialog.getByRole('textbox', { name: 'Client ID' }).fill('discord-client');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Fill this in.').waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Client secret').fill('discord-secret');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Change Discord' }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('');
  expect(await providerIds(server)).toContain('discord');

  await page.getByRole('button', { name: 'Change Discord' }).click();
  const change = page.getByRole('dialog', { name: 'Change Discord' });
  await change.getByText('A secret is stored and is not shown again.').waitFor();
  expect(await change.getByLabel('Client secret').inputValue()).toBe('');
  await change.getByRole('button', { name: 'Save' }).click();
  await change.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Switch off Discord' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('button', { name: 'Set up Discord' }).waitFor();
  expect(await providerIds(server)).not.toContain('discord');
  expect(troubles).toEqual([]);
});

test('an owner tests a provider, and sees the account that came back, or why none did', async ({
  server,
  page,
  troubles,
}) => {
  const { email } = newPerson();
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/sign-in-methods`);
  await page.getByRole('button', { name: 'Test GitHub' }).click();
  await page.getByRole('dialog', { name: 'Test GitHub' }).getByText('No user and no session is created.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Go to GitHub' }).click();
  await signInAtProvider(page, 'GitHub', email);
  const result = page.getByRole('dialog', { name: 'Test of GitHub' });
  await result.getByText('The sign-in works.').waitFor();
  expect(await result.getByRole('definition').allTextContents()).toEqual([
    email,
    email,
    'Yes, the provider has verified it.',
  ]);
  await expectAccessible(page);
  await result.getByRole('button', { name: 'Test again' }).click();
  await page.getByRole('button', { name: 'Go to GitHub' }).click();
  // The dialog has a button of the same name.
  await page.getByRole('heading', { name: 'GitHub (mock provider)' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await result.getByText('The sign-in was declined').waitFor();
  await result.getByText('access_denied').waitFor();
  await expectAccessible(page);
  await result.getByRole('button', { name: 'Close' }).click();
  await result.waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).search).toBe('');
  expect(withoutRedirects(troubles)).toEqual([]);
});

test('a result that another person may read, or that is over, says so', async ({ server, page }) => {
  const address = `${server.url}/dashboard/projects/${server.keys.projectId}/sign-in-methods`;
  await page.goto(`${address}?test=00000000-0000-4000-8000-000000000000`);
  const result = page.getByRole('dialog', { name: 'Result of the test' });
  await result.getByText('There is no result').waitFor();
  await expectAccessible(page);
});

test('the last way to sign in is switched off only after a confirmation', async ({ server, page, troubles }) => {
  const left = { credential_enabled: true, magic_link_enabled: false, passkey_enabled: false, oauth_providers: [] };
  await configure(server, left);
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/sign-in-methods`);
  const password = page.getByRole('switch', { name: 'Email and password' });
  await password.click();
  const dialog = page.getByRole('dialog', { name: 'Switch off Email and password?' });
  await dialog.getByText('It is the last way to sign in').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await password.isChecked()).toBe(true);

  await password.click();
  await dialog.getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('No user can sign in').waitFor();
  await expect.poll(() => password.isChecked()).toBe(false);
  expect(troubles).toEqual([]);
});

test('an owner who switches off the last two methods at once is asked before the second', async ({
  server,
  page,
  troubles,
}) => {
  await configure(server, { magic_link_enabled: true });
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/sign-in-methods`);
  const password = page.getByRole('switch', { name: 'Email and password' });
  const code = page.getByRole('switch', { name: 'Code or link by email' });
  const switches = await Promise.all([password, code].map(one => one.elementHandle()));
  await page.evaluate(elements => {
    for (const element of elements) (element as HTMLElement | null)?.click();
  }, switches);
  const question = page.getByRole('dialog');
  await question.getByText('It is the last way to sign in').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await waitUntilSaved(password);
  expect(await password.isChecked()).toBe(false);
  expect(await code.isChecked()).toBe(true);
  expect(await configOf(server)).toMatchObject({ credential_enabled: false, magic_link_enabled: true });
  expect(troubles).toEqual([]);
});

interface ClientConfig {
  readonly sign_up_enabled: boolean;
  readonly passkey_enabled: boolean;
  readonly enabled_oauth_providers: readonly { readonly id: string }[];
}

/** What the apps of the project read. */
async function configOf(server: Parameters<typeof call>[0]): Promise<ClientConfig> {
  return (await (await call(server, 'GET /projects/current')).json()).config;
}

async function providerIds(server: Parameters<typeof call>[0]): Promise<string[]> {
  return (await configOf(server)).enabled_oauth_providers.map(({ id }) => id);
}
