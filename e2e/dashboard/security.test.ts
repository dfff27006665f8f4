import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { test } from '../support/owner.ts';
import { waitForFocus } from '../support/pages.ts';
import type { TesseraServer } from '../support/tessera-server.ts';

const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const signUpLimit = (page: Page): Locator =>
  panel(page, 'Limits').getByRole('textbox', { name: /^Sign-ups from each IP address/ });

test('an owner changes security settings, undoes one, sees failed sign-ins, and rotates the signing keys', async ({
  server,
  page,
  troubles,
}) => {
  await failSignIn(server);

  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/security`);
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();
  await panel(page, 'Failed sign-ins').getByText('1 failed').waitFor();
  const defaults = panel(page, 'Sessions').getByRole('option', { selected: true });
  await expect
    .poll(() => defaults.allTextContents())
    .toEqual(['365 days, the default', 'No limit, the default', 'Any age']);
  expect(await violationsOf(page)).toEqual([]);

  await changeAndUndo(page);
  const passkeys = page.getByRole('switch', { name: 'A passkey is both factors' });
  await passkeys.click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();

  const sessions = panel(page, 'Sessions');
  await sessions.getByRole('combobox', { name: 'Longest lifetime' }).selectOption('30 days');
  await sessions.getByRole('checkbox').check();
  await sessions.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => sessions.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  // A disabled button loses the focus, and screen readers begin at the top of the page again.
  await waitForFocus(sessions.getByRole('button', { name: 'Save' }));

  await limitSignUps(page);
  await rotateKeys(page);

  await page.reload();
  await sessions.getByRole('combobox', { name: 'Longest lifetime' }).waitFor();
  expect(await sessions.getByRole('combobox', { name: 'Longest lifetime' }).inputValue()).toBe('2592000000');
  expect(await sessions.getByRole('checkbox').isChecked()).toBe(true);
  expect(await passkeys.isChecked()).toBe(true);
  expect(await signUpLimit(page).inputValue()).toBe('7');

  await panel(page, 'Failed sign-ins').getByRole('link', { name: 'Show them in the audit log' }).click();
  await page.getByRole('table', { name: 'Audit log' }).getByRole('link', { name: 'Sign-in failed' }).waitFor();
  expect(troubles).toEqual([]);
});

test('a page with unsaved settings is left only after a question', async ({ server, page, troubles }) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/security`);
  const lifetime = panel(page, 'Sessions').getByRole('combobox', { name: 'Longest lifetime' });
  await lifetime.selectOption('90 days');
  const users = page.getByRole('navigation').getByRole('link', { name: 'Users' });
  await users.click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await question.getByRole('button', { name: 'Stay' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await lifetime.inputValue()).toBe('7776000000');

  await users.click();
  await question.getByRole('button', { name: 'Leave the page' }).click();
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
  expect(troubles).toEqual([]);
});

async function failSignIn(server: TesseraServer): Promise<void> {
  await fetch(`${server.url}/api/v1/auth/password/sign-in`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-stack-access-type': 'client',
      'x-stack-project-id': server.keys.projectId,
      'x-stack-publishable-client-key': server.keys.publishableClientKey,
    },
    body: JSON.stringify({ email: 'unknown@example.com', password: 'a wrong password' }),
  });
}

async function changeAndUndo(page: Page): Promise<void> {
  const invitations = page.getByRole('switch', { name: 'Only the invited address can accept' });
  expect(await invitations.isChecked()).toBe(false);
  await invitations.focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The setting is as it was').waitFor();
  await expect.poll(() => invitations.isChecked()).toBe(false);
}

async function limitSignUps(page: Page): Promise<void> {
  const limits = panel(page, 'Limits');
  const signUps = signUpLimit(page);
  expect(await signUps.getAttribute('placeholder')).toBe('20, the default');
  await signUps.fill('many');
  await limits.getByRole('button', { name: 'Save' }).click();
  await limits.getByText('Enter a whole number from 1 to 1,000,000, or nothing.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await signUps.fill('7');
  await limits.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => limits.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
}

async function rotateKeys(page: Page): Promise<void> {
  const keys = panel(page, 'Signing keys');
  await keys.getByText('never').waitFor();
  await keys.getByRole('button', { name: 'Rotate the signing keys' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Rotate the signing keys?' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Rotate the signing keys' }).click();
  await keys.getByText('Id of the current key').waitFor();
  await keys.getByText('never').waitFor({ state: 'detached' });
}
