import { expect } from 'vitest';
import { call } from '../support/api.ts';
import { expectAccessible, test } from '../support/owner.ts';
import { holdEscape, waitForFocus } from '../support/pages.ts';

test('control 107: keys are shown once, rotated with overlap, and refused after revocation', async ({
  server,
  page,
  troubles,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/overview`);
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  const status = async (publishableClientKey: string) => {
    const keys = { ...server.keys, publishableClientKey };
    return (await call({ url: server.url, keys }, 'GET /projects/current')).status;
  };
  const shownKey = async () => (await page.getByRole('dialog').getByText(/^pck_/).textContent()) ?? '';

  await page.getByRole('button', { name: 'Create keys' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a set of keys' });
  await waitForFocus(dialog.getByRole('textbox', { name: 'What they are for' }));
  await page.keyboard.press('Enter');
  await dialog.getByText('Fill this in.').waitFor();
  await dialog.getByRole('textbox', { name: 'What they are for' }).fill('Lighthouse');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Your new keys' }).waitFor();
  const first = await shownKey();
  expect(await status(first)).toBe(200);
  await holdEscape(page);
  await expectAccessible(page);
  await page.goBack();
  const question = page.getByRole('dialog', { name: 'Leave without storing it?' });
  await question.waitFor();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Stay' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await shownKey()).toBe(first);
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(await page.evaluate(isAsked)).toBe(true);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate(isAsked)).toBe(false);
  await page.getByText(`…${first.slice(-4)}`).waitFor();
  expect(await page.content()).not.toContain(first);

  await page.getByRole('button', { name: 'Rotate Lighthouse' }).click();
  await page.getByRole('button', { name: 'Create the new keys' }).click();
  await page.getByRole('dialog', { name: 'Your new keys. The old ones work until you revoke them' }).waitFor();
  const second = await shownKey();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  expect([await status(first), await status(second)]).toEqual([200, 200]);

  const revoking = page.getByRole('dialog', { name: 'Revoke “Lighthouse”?' });
  // The newest set comes first, so the last one is the old one.
  await page.getByRole('button', { name: 'Revoke Lighthouse' }).last().click();
  await revoking.getByText(`…${first.slice(-4)}`).waitFor();
  await expectAccessible(page);
  await revoking.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: /^Show revoked and expired/ }).click();
  await page
    .getByRole('region', { name: 'Revoked and expired keys' })
    .getByText(`…${first.slice(-4)}`)
    .waitFor();
  expect([await status(first), await status(second)]).toEqual([401, 200]);
  expect(new URL(page.url()).searchParams.get('ended')).toBe('true');
  await expectAccessible(page);
  expect(troubles).toEqual([]);
});

test('keys that the page "Get started" creates are in the list of keys at once', async ({ server, page }) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/api-keys`);
  await page.getByRole('region', { name: 'Active keys' }).getByRole('listitem').first().waitFor();
  await page.getByRole('link', { name: 'Get started' }).click();
  const reread = page.waitForResponse(
    response => response.url().endsWith('/internal/api-keys') && response.request().method() === 'GET',
  );
  await page.getByRole('button', { name: 'Create a set of keys' }).click();
  await reread;
  // What the page of keys shows was read after the creation, and not when that page was opened.
  await page.route('**/api/v1/internal/api-keys', route => route.abort());
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await page.getByText('Created on the page “Get started”').waitFor();
});
