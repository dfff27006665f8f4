import { readKeyFile } from '@tessera/testing/data-folder';
import { expect } from 'vitest';
import { test as base, expectAccessible } from './support/owner.ts';
import { submitSignIn, waitForFocus } from './support/pages.ts';
import { openTerminal } from './support/terminal.ts';

/** A terminal on another computer: it knows the address of the server and the public key of the project `internal`. */
const test = base
  .extend('internalKey', { scope: 'file' }, async ({ server }) => {
    const { projects } = await readKeyFile(server.dataDir);
    return projects.internal?.publishableClientKey ?? '';
  })
  .extend('terminal', async ({ server, internalKey }, { onCleanup }) => {
    const terminal = await openTerminal({
      TESSERA_API_URL: server.url,
      TESSERA_PROJECT_ID: 'internal',
      TESSERA_PUBLISHABLE_CLIENT_KEY: internalKey,
    });
    onCleanup(terminal.close);
    return terminal;
  });

const address = /^ {2}(http\S+)$/m;

test('tessera login: an owner confirms in the browser, and the terminal manages the project', async ({
  server,
  page,
  troubles,
  terminal,
}) => {
  const login = terminal.start('login');
  const [, url = ''] = await login.read(address);
  expect(url).toMatch(`${server.url}/dashboard/handler/cli-auth-confirm?login_code=`);
  await page.goto(url);
  await page.getByText('Continue only if you started this yourself just now.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByRole('heading', { name: "You're signed in on the command line" }).waitFor();
  await expectAccessible(page);
  expect(await login.ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Logged in to project internal'),
  });

  const projects = await terminal.start('projects', 'list').ended;
  expect(projects).toMatchObject({ code: 0, stdout: expect.stringContaining(server.keys.projectId) });
  const created = await terminal.start('keys', 'create', '--secret', '--project', server.keys.projectId).ended;
  expect(created).toMatchObject({ code: 0, stdout: expect.stringContaining('ssk_') });

  // The address works once.
  await page.goto(url);
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByText('This sign-in has expired or was already used.').waitFor();
  expect(troubles).toEqual([]);
});

test('tessera login: a signed-out user signs in first, and then confirms', async ({
  owner,
  context,
  page,
  terminal,
}) => {
  await context.clearCookies();
  const login = terminal.start('login');
  const [, url = ''] = await login.read(address);
  await page.goto(url);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await submitSignIn(page, owner);
  await page.getByText(`A command-line program wants to sign in as ${owner.email}.`).waitFor();
  await page.getByRole('button', { name: 'Authorize' }).click();
  expect(await login.ended).toMatchObject({ code: 0, stdout: expect.stringContaining(owner.email) });
  expect(await terminal.start('whoami').ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(owner.email),
  });
});

test('tessera login: an owner who declines on the page sees so, and the terminal ends without a login', async ({
  page,
  troubles,
  terminal,
}) => {
  const login = terminal.start('login');
  const [, url = ''] = await login.read(address);
  await page.goto(url);
  await page.getByRole('button', { name: 'Cancel' }).click();
  const declined = page.getByRole('heading', { name: 'Command-line sign-in declined' });
  await waitForFocus(declined);
  await expectAccessible(page);
  expect(await login.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The login was declined in the browser'),
  });
  expect(await terminal.start('whoami').ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('You are not logged in to project internal'),
  });
  expect(troubles).toEqual([]);
});
