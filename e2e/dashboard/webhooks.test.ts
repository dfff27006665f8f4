import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { test as base } from '../support/owner.ts';
import { waitForFocus } from '../support/pages.ts';
import type { TesseraServer } from '../support/tessera-server.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server of the project's developer: it keeps each request and answers "thank you". */
async function startReceiver() {
  const requests: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', part => {
      body += part;
    });
    request.on('end', () => {
      requests.push({ headers: request.headers, body });
      response.end('thank you');
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return { requests, url, stop: () => new Promise<void>(resolve => server.close(() => resolve())) };
}

const test = base.extend('receiver', async ({ browser: _ }, { onCleanup }) => {
  const receiver = await startReceiver();
  onCleanup(receiver.stop);
  return receiver;
});

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const main = (page: Page) => page.getByRole('main');
const deliveries = (page: Page) => page.getByRole('table', { name: 'Deliveries' });

test('an owner adds a webhook endpoint, reads the answer of its server, checks the signature, and sends the message again and a test event', async ({
  server,
  receiver,
  page,
  troubles,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/webhooks`);
  await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);

  await addEndpoint(page, receiver.url);
  await createUser(server);
  await expect.poll(() => receiver.requests.length).toBe(1);
  await readAnswerAndSendAgain(page, receiver);
  await checkSignature(page, receiver);
  await resendListed(page, receiver);
  await sendTestEvent(page, receiver);
  await disableAndDelete(page);
  expect(troubles).toEqual([]);
});

test('the open page of a webhook endpoint shows within half a minute that it was disabled elsewhere, and keeps what is typed', async ({
  server,
  receiver,
  context,
  page,
}) => {
  await page.clock.install();
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/webhooks`);
  await addEndpoint(page, receiver.url);
  const description = main(page).getByRole('textbox', { name: 'Description' });
  await description.fill('For the ledger');

  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole('switch', { name: 'Enabled' }).click();
  await main(other).getByText('disabled', { exact: true }).waitFor();
  await page.clock.fastForward(30_000);
  await main(page).getByText('disabled', { exact: true }).waitFor();
  expect(await description.inputValue()).toBe('For the ledger');
});

test('the list of deliveries keeps the keyboard focus when a new attempt arrives', async ({
  server,
  receiver,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/webhooks`);
  await addEndpoint(page, receiver.url);
  const delivered = deliveries(page).getByText('delivered', { exact: true });
  const events = deliveries(page).getByRole('button', { name: 'user.created' });
  await createUser(server);
  await expect.poll(() => delivered.count()).toBe(1);
  await events.focus();
  await createUser(server);
  await expect.poll(() => delivered.count()).toBe(2);
  await waitForFocus(events.last());
});

test('a delivery that is listed as failing is found by the filter that names failing ones', async ({
  server,
  page,
}) => {
  // No program listens on port 1.
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/webhooks`);
  await addEndpoint(page, 'http://127.0.0.1:1/down');
  await createUser(server);
  const failing = deliveries(page).getByText('failing', { exact: true });
  await expect
    .poll(async () => {
      await page.reload();
      await deliveries(page).getByRole('button', { name: 'user.created' }).waitFor();
      return failing.count();
    })
    .toBe(1);
  await page.getByRole('combobox', { name: 'State' }).selectOption('waiting or failing');
  await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('pending');
  await failing.waitFor();
});

test('the page of another webhook endpoint does not show the signing secret of the first', async ({
  server,
  receiver,
  page,
}) => {
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/webhooks`);
  await addEndpoint(page, `${receiver.url}/first`);
  await page.getByRole('link', { name: 'All endpoints' }).click();
  await addEndpoint(page, `${receiver.url}/second`);
  await page.getByRole('button', { name: 'Show the signing secret' }).click();
  await page.getByText(/^whsec_/).waitFor();
  // From one endpoint to the other, past the list between them.
  await page.evaluate(() => window.history.go(-2));
  await page.getByRole('heading', { name: `${receiver.url}/first`, level: 1 }).waitFor();
  expect(await page.getByText(/^whsec_/).count()).toBe(0);
});

test('an endpoint whose secret cannot be read after its creation is there once, and its page opens', async ({
  server,
  receiver,
  page,
}) => {
  const url = `${receiver.url}/once`;
  await page.route('**/endpoint/*/secret', route => route.fulfill({ status: 500, body: 'Internal Server Error' }));
  await page.goto(`${server.url}/dashboard/projects/${server.keys.projectId}/webhooks`);
  await main(page).getByRole('button', { name: 'Add an endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'URL' }).fill(url);
  await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
  await page.getByRole('heading', { name: url, level: 1 }).waitFor();
  await page.getByRole('link', { name: 'All endpoints' }).click();
  await main(page).getByRole('link', { name: url }).waitFor();
  expect(await main(page).getByRole('link', { name: url }).count()).toBe(1);
});

async function addEndpoint(page: Page, url: string): Promise<void> {
  await main(page).getByRole('button', { name: 'Add an endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
  await dialog.getByText('Enter a URL that begins with').waitFor();
  await dialog.getByRole('textbox', { name: 'URL' }).fill(url);
  await dialog.getByRole('checkbox', { name: /^Send every event/ }).uncheck();
  await dialog.getByRole('checkbox', { name: 'user.created' }).check();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('heading', { name: url, level: 1 }).waitFor();
  await page.getByText('No message yet.').waitFor();
}

async function createUser(server: TesseraServer): Promise<void> {
  const created = await fetch(`${server.url}/api/v1/users`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-stack-access-type': 'server',
      'x-stack-project-id': server.keys.projectId,
      'x-stack-secret-server-key': server.keys.secretServerKey,
    },
    body: JSON.stringify({ display_name: 'Ada' }),
  });
  expect(created.status).toBe(201);
}

async function readAnswerAndSendAgain(page: Page, receiver: Receiver): Promise<void> {
  const dialog = page.getByRole('dialog');
  await deliveries(page).getByRole('button', { name: 'user.created' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByText('thank you').waitFor();
  await dialog.getByText('200', { exact: true }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => receiver.requests.length).toBe(2);
  // The page behind a modal dialog takes no text.
  await dialog.waitFor({ state: 'hidden' });
}

async function checkSignature(page: Page, receiver: Receiver): Promise<void> {
  const { headers, body } = receiver.requests[0] as Received;
  for (const name of ['svix-id', 'svix-timestamp', 'svix-signature']) {
    await page.getByRole('textbox', { name }).fill(String(headers[name]));
  }
  await page.getByRole('textbox', { name: 'Raw request body' }).fill(body);
  await page.getByRole('button', { name: 'Check the signature' }).click();
  // Shows what the tester says when it says something else.
  const tester = page.locator('form').filter({ has: page.getByRole('button', { name: 'Check the signature' }) });
  await expect.poll(() => tester.textContent()).toContain('The signature matches.');
  await page.getByRole('textbox', { name: 'Raw request body' }).fill(`${body} `);
  await page.getByRole('button', { name: 'Check the signature' }).click();
  await page.getByText('The signature does not match.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
}

async function resendListed(page: Page, receiver: Receiver): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('combobox', { name: 'State' }).selectOption('delivered');
  await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('success');
  await page.getByRole('button', { name: 'Resend all listed deliveries' }).click();
  await dialog.getByRole('button', { name: 'Resend all listed deliveries' }).click();
  await expect.poll(() => receiver.requests.length).toBe(3);
  await dialog.waitFor({ state: 'hidden' });
}

async function sendTestEvent(page: Page, receiver: Receiver): Promise<void> {
  await page.getByRole('combobox', { name: 'Event' }).selectOption('team.deleted');
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await expect.poll(() => receiver.requests[3]?.body).toContain('"type":"team.deleted"');
  await deliveries(page).getByRole('button', { name: 'team.deleted' }).waitFor();
}

async function disableAndDelete(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('switch', { name: 'Enabled' }).click();
  await main(page).getByText('disabled', { exact: true }).waitFor();
  await main(page).getByText('This endpoint is disabled: new events are not sent to it').waitFor();
  await main(page).getByText('Enable the endpoint to send it a test event.').waitFor();
  expect(await page.getByRole('button', { name: 'Resend all listed deliveries' }).isDisabled()).toBe(true);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Delete the endpoint' }).click();
  await dialog.getByRole('button', { name: 'Delete the endpoint' }).click();
  await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
}
