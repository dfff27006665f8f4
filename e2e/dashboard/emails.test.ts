import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { test } from '../support/owner.ts';
import type { TesseraServer } from '../support/tessera-server.ts';

/** A mail server that refuses every login. */
async function startRefusingServer() {
  const server = createServer(socket => {
    socket.on('error', () => socket.destroy());
    socket.write('220 refusing.example ESMTP\r\n');
    socket.setEncoding('utf8').on('data', line => {
      if (/^(EHLO|HELO)/i.test(String(line))) socket.write('250-refusing.example\r\n250 AUTH PLAIN LOGIN\r\n');
      else if (/^QUIT/i.test(String(line))) socket.end('221 bye\r\n');
      else socket.write('535 5.7.8 Bad credentials of Acme\r\n');
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, stop: () => new Promise<void>(resolve => server.close(() => resolve())) };
}

test('an owner fills in a mail server, reads why the test email failed, and finds the attempt with the SMTP answer in the log', async ({
  server,
  page,
  troubles,
}) => {
  const refusing = await startRefusingServer();
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/emails`);
  await page.getByRole('heading', { name: 'No email yet' }).waitFor();
  const catcher = page.getByRole('link', { name: 'Open the mail catcher' });
  expect(await catcher.getAttribute('href')).toBe(`${server.url}/dev/mail`);
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('link', { name: 'Mail server' }).click();
  await page.getByRole('combobox', { name: 'Mail server' }).selectOption('A server of our own');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Fill this in.').first().waitFor();
  await page.getByRole('textbox', { name: 'Host' }).fill('127.0.0.1');
  await page.getByRole('textbox', { name: 'Port' }).fill(String(refusing.port));
  await page.getByRole('textbox', { name: 'User name' }).fill('acme');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('textbox', { name: 'Sender name' }).fill('Acme');
  await page.getByRole('textbox', { name: 'Sender address' }).fill('mail@acme.example');
  await page.getByRole('button', { name: 'Send a test email' }).click();
  await page.getByText('The test email was not sent').waitFor();
  await page.getByText('The mail server refused the user name or the password.').waitFor();
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The mail server was saved').waitFor();
  await page.reload();
  await page.getByRole('textbox', { name: 'Host' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Host' }).inputValue()).toBe('127.0.0.1');

  await page.getByRole('combobox', { name: 'Theme' }).selectOption('Dark');
  await page.getByText('The theme was saved').waitFor();

  await page.getByRole('link', { name: 'Log', exact: true }).click();
  await page.getByRole('combobox', { name: 'State' }).selectOption('failed');
  await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('failed');
  await page.getByRole('table', { name: 'Log' }).getByRole('button', { name: 'Test mail' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/535 5\.7\.8 Bad credentials of Acme/).waitFor();
  await dialog.getByText('Check user name and password.').waitFor();
  expect(await dialog.getByText('Send again').count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);

  await page.keyboard.press('Escape');
  await inviteToSignIn(server);
  const invitations = page.getByRole('table', { name: 'Log' }).getByRole('button', { name: /You are invited/ });
  await expect.poll(() => reloadedCount(page, invitations)).toBe(1);
  await invitations.click();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('The email waits in the queue again').waitFor();
  await expect.poll(() => reloadedCount(page, invitations)).toBe(2);
  await dialog.getByRole('button', { name: 'Send again' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Waiting', exact: true }).click();
  await page.getByRole('heading', { name: 'No email waits' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await refusing.stop();
  expect(troubles).toEqual([]);
});

async function inviteToSignIn({ url, keys }: TesseraServer): Promise<void> {
  const answer = await fetch(`${url}/api/v1/internal/send-sign-in-invitation`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-stack-access-type': 'server',
      'x-stack-project-id': keys.projectId,
      'x-stack-secret-server-key': keys.secretServerKey,
    },
    body: JSON.stringify({ email: 'ada@example.com', callback_url: 'http://localhost:3000/' }),
  });
  expect(answer.status).toBe(200);
}

async function reloadedCount(page: Page, rows: Locator): Promise<number> {
  await page.reload();
  await page.getByRole('table', { name: 'Log' }).waitFor({ state: 'attached' });
  return rows.count();
}
