import { expect } from 'vitest';
import { call } from '../support/api.ts';
import { expectAccessible, test } from '../support/owner.ts';
import { waitUntilSaved } from '../support/pages.ts';
import { newPerson } from '../support/people.ts';
import { configure } from '../support/project.ts';

test('the tester of an owner and the server agree on redirect URLs before and after a domain is added and removed', async ({
  server,
  page,
  troubles,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/domains`);
  const tester = page.getByRole('region', { name: 'Test an address' });
  const expectVerdict = async (url: string, verdict: 'Trusted' | 'Refused', reason: string) => {
    await tester.getByRole('textbox').fill(url);
    await tester.getByText(reason, { exact: true }).waitFor();
    await tester.getByText(verdict, { exact: true }).waitFor();
    expect(await isAccepted(server, url)).toBe(verdict === 'Trusted');
  };
  const url = 'https://shop.example.com/welcome';
  await expectVerdict(url, 'Refused', 'No trusted domain has the host shop.example.com.');

  await page.getByRole('button', { name: 'Add a domain' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a domain' });
  await dialog.getByRole('textbox', { name: 'Address of your app' }).fill('https://*.example.com');
  await page.keyboard.press('Enter');
  await dialog.getByText('A wildcard matches no site.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('textbox', { name: 'Address of your app' }).fill('https://shop.example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove https://shop.example.com' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await expectVerdict(url, 'Trusted', 'It belongs to https://shop.example.com.');
  await expectVerdict(
    'http://shop.example.com/',
    'Refused',
    'The host belongs to https://shop.example.com, but the scheme differs.',
  );
  await expectVerdict('http://localhost:5173/', 'Trusted', 'It is a local address, and localhost is allowed.');
  await expectAccessible(page);

  const localhost = page.getByRole('switch', { name: 'Allow localhost' });
  await localhost.uncheck();
  await waitUntilSaved(localhost);
  await expectVerdict('http://localhost:5173/', 'Refused', 'It is a local address, and localhost is not allowed.');
  await localhost.check();
  await waitUntilSaved(localhost);
  await expectVerdict('http://localhost:5173/', 'Trusted', 'It is a local address, and localhost is allowed.');

  await page.getByRole('button', { name: 'Remove https://shop.example.com' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove https://shop.example.com' }).waitFor({ state: 'detached' });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expectVerdict(url, 'Refused', 'No trusted domain has the host shop.example.com.');
  expect(troubles).toEqual([]);
});

test('a domain that is added or removed on a page that was opened before another change keeps that change', async ({
  server,
  page,
  troubles,
}) => {
  const domains = (...names: readonly string[]) =>
    configure(server, {
      domains: names.map(name => ({ domain: `https://${name}.example`, handler_path: '/handler' })),
    });
  const removal = (name: string) => page.getByRole('button', { name: `Remove https://${name}.example` });
  await domains('old', 'bad');
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/domains`);
  await removal('bad').waitFor();

  await domains('old', 'other');
  await page.getByRole('button', { name: 'Add a domain' }).click();
  await page.getByRole('textbox', { name: 'Address of your app' }).fill('https://new.example');
  await page.keyboard.press('Enter');
  await removal('new').waitFor();
  await removal('other').waitFor();
  await removal('bad').waitFor({ state: 'detached' });

  await domains('old', 'other', 'new', 'newest');
  await removal('old').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await removal('newest').waitFor();
  await removal('old').waitFor({ state: 'detached' });
  await page.reload();
  await removal('newest').waitFor();
  expect(await page.getByRole('button', { name: /^Remove https/ }).count()).toBe(3);
  expect(troubles).toEqual([]);
});

/** Whether the server sends an email whose link leads to a URL. */
async function isAccepted(server: Parameters<typeof call>[0], url: string): Promise<boolean> {
  const body = { ...newPerson(), verification_callback_url: url };
  const response = await call(server, 'POST /auth/password/sign-up', { body });
  if (response.ok) return true;
  expect((await response.json()).code).toBe('REDIRECT_URL_NOT_WHITELISTED');
  return false;
}
