import { expect, onTestFinished } from 'vitest';
import { register, signIn } from '../support/api.ts';
import { linkIn, mailTo } from '../support/mail.ts';
import {
  choose,
  enter,
  holdEscape,
  registerInBrowser,
  shelf,
  submitSignIn,
  typeInto,
  userMenu,
  verifyAddress,
  waitForFocus,
  waitUntilSaved,
} from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { changeExtension, configure, everything } from '../support/project.ts';
import { test } from '../support/test.ts';

const settings = '/handler/account-settings';

test('a user sets a name, then adds and verifies an address and makes it primary for sign-in', async ({
  server,
  page,
  troubles,
}) => {
  const [person, second] = [newPerson(), newPerson()];
  await registerInBrowser(server, page, person);
  await page.goto(settings);
  await page.getByRole('button', { name: 'Change: Display name' }).click();
  await typeInto(page.getByRole('textbox', { name: 'Display name' }), 'Ada Lovelace');
  await page.keyboard.press('Enter');
  await userMenu(page, 'Ada Lovelace').waitFor();

  await page.getByRole('link', { name: 'Emails and sign-in' }).click();
  await page.getByRole('button', { name: 'Add an address' }).click();
  await page.getByLabel('New email address').fill(second.email);
  await page.keyboard.press('Enter');
  await page.getByText(`Verification email sent to ${second.email}.`).waitFor();
  await page.getByRole('button', { name: `Send verification email: ${second.email}` }).waitFor();

  await page.goto(linkIn(await mailTo(server, second.email, /verif/i)));
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('heading', { name: 'Email address verified' }).waitFor();

  await page.goto(`${settings}#auth`);
  await choose(page, second.email, 'Use for sign-in');
  const row = page.getByRole('listitem').filter({ hasText: second.email });
  await row.getByText('For sign-in', { exact: true }).waitFor();
  await choose(page, second.email, 'Make primary');
  await row.getByText('Primary', { exact: true }).waitFor();
  await choose(page, person.email, 'Remove');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('listitem').filter({ hasText: person.email }).waitFor({ state: 'detached' });

  await userMenu(page, 'Ada Lovelace').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Start your shelf' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  expect((await signIn(server, { ...person, email: second.email })).status).toBe(200);
  expect((await signIn(server, person)).status).toBe(400);
  expect(troubles).toEqual([]);
});

test('a user chooses a picture, and the page shows the stored image of the server', async ({
  server,
  page,
  troubles,
}) => {
  await registerInBrowser(server, page, newPerson());
  await page.goto(settings);
  await page.getByRole('heading', { level: 1, name: 'Account settings' }).waitFor();
  const picture = { name: 'a.png', mimeType: 'image/png', buffer: await page.screenshot() };
  await page.locator('input[type=file]').setInputFiles(picture);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();

  const image = page.locator('img[src*="/api/v1/images/"]').first();
  await image.waitFor();
  expect(await image.evaluate((element: HTMLImageElement) => element.decode().then(() => element.naturalWidth))).toBe(
    512,
  );
  expect(troubles).toEqual([]);
});

test('a user changes the password, which ends other sessions, and lists and ends sessions', async ({
  server,
  page,
  troubles,
}) => {
  const person = newPerson();
  await registerInBrowser(server, page, person);
  await signIn(server, person);
  await page.goto(`${settings}#sessions`);
  const rows = page.getByRole('list', { name: 'Active sessions' }).getByRole('listitem');
  await rows.nth(1).waitFor();
  expect(await rows.count()).toBe(2);
  await rows.getByRole('button').click();
  await rows.nth(1).waitFor({ state: 'detached' });

  await signIn(server, person);
  await page.goto(`${settings}#auth`);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('Current password').fill('not this one');
  await page.getByLabel('New password', { exact: true }).fill(`${person.password}, again`);
  await page.getByLabel('Repeat password', { exact: true }).fill(`${person.password}, again`);
  await page.keyboard.press('Enter');
  await page.getByText('Incorrect password.').waitFor();
  await page.getByLabel('Current password').fill(person.password);
  await page.keyboard.press('Enter');
  await page.getByText('Password changed').waitFor();

  await page.goto(`${settings}#sessions`);
  await rows.first().waitFor();
  expect(await rows.count()).toBe(1);
  expect(troubles).toEqual([]);
});

test('a user creates an API key, sees it once even when Escape is held, revokes it, and deletes the account', async ({
  server,
  page,
  troubles,
}) => {
  await configure(server, { ...everything, magic_link_enabled: false, passkey_enabled: false, oauth_providers: [] });
  const person = newPerson();
  await registerInBrowser(server, page, person);

  await page.goto(`${settings}#api-keys`);
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByLabel('Description').fill('Deploy');
  await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your new API key' });
  const secret = (await dialog.locator('code').textContent()) ?? '';
  await holdEscape(page);
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText(`••••${secret.slice(-4)}`).waitFor();
  await page.getByRole('button', { name: 'Revoke: Deploy' }).click();
  await page.getByRole('dialog').getByRole('checkbox').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Revoked', { exact: true }).last().waitFor();

  await page.goto(`${settings}#notifications`);
  const marketing = page.getByRole('switch', { name: 'News' });
  const before = await marketing.isChecked();
  await marketing.press('Space');
  await waitUntilSaved(marketing);
  await waitForFocus(marketing);
  await page.reload();
  await expect.poll(() => marketing.isChecked()).toBe(!before);

  await page.goto(`${settings}#settings`);
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
  await page.getByRole('button', { name: 'Go to the home page' }).click();
  await page.getByRole('link', { name: 'Start your shelf' }).waitFor();
  expect((await signIn(server, person)).status).toBe(400);
  expect(troubles).toEqual([]);
});

test('a user deletes the account, signs in during the cooling-off period and keeps it', async ({
  server,
  demo,
  page,
  troubles,
}) => {
  const domains = [{ domain: demo.url, handler_path: '/handler' }];
  await configure(server, { client_user_deletion_enabled: true, domains });
  await changeExtension(server, 'account-deletion', { cooling_off_days: 14 });
  onTestFinished(() => changeExtension(server, 'account-deletion', { cooling_off_days: 0 }));
  const person = newPerson();
  await register(server, person);
  await verifyAddress(server, page, person);
  await enter(page, person);
  await page.goto(`${settings}#settings`);
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
  const scheduled = page.getByRole('heading', { name: /^Your account will be deleted on/ });
  await scheduled.waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Start your shelf' }).waitFor();

  await page.goto('/handler/sign-in?after_auth_return_to=%2Fshelf');
  await submitSignIn(page, person);
  await scheduled.waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();
  await shelf(page).waitFor();

  await page.context().clearCookies();
  const { text } = await mailTo(server, person.email, /will be deleted/);
  await page.goto(/https?:\S+\/account-deletion/.exec(text)?.[0] ?? '');
  await submitSignIn(page, person);
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await page.getByRole('heading', { name: 'Your account stays' }).waitFor();
  await mailTo(server, person.email, /stays/);
  await page.getByRole('button', { name: 'Go to the home page' }).click();
  await shelf(page).waitFor();
  await page.goto(`${settings}#settings`);
  await page.getByRole('button', { name: 'Delete account' }).waitFor();
  expect(troubles).toEqual([]);
});
