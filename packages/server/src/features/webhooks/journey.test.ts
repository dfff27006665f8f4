import { internalKeySettings, requestOf } from '@tessera/testing/call';
import { type ListeningServer, startServer } from '@tessera/testing/server';
import { Svix, Webhook } from 'svix';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { openReceiver, type Receiver } from './scene.fixtures.ts';

let server: ListeningServer;
let receiver: Receiver;
beforeAll(async () => {
  server = await startServer({ environment: internalKeySettings });
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await server.stop();
});

/** Uses a real socket. */
async function call(route: string, options: Parameters<typeof requestOf>[1]): Promise<unknown> {
  const request = requestOf(route, options);
  const response = await fetch(request.url.replace('4280', String(server.port)), {
    method: request.method,
    headers: request.headers,
    body: await request.text(),
  });
  return response.json();
}

test('the public Svix client creates an endpoint, and a signed event arrives there', async () => {
  const given = await call('POST /webhooks/svix-token', { level: 'admin', body: {} });
  const { token } = z.object({ token: z.string() }).parse(given);
  const svix = new Svix(token, { serverUrl: `http://localhost:${server.port}` });
  const { id } = await svix.endpoint.create('internal', { url: `${receiver.url}/hook`, filterTypes: ['user.created'] });
  const { key } = await svix.endpoint.getSecret('internal', id);
  const user = await call('POST /users', { level: 'server', body: { display_name: 'Ada' } });
  await expect.poll(() => receiver.received.length).toBe(1);
  const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = receiver.received;
  expect(path).toBe('/hook');
  expect(new Webhook(key).verify(body, headers)).toEqual({ type: 'user.created', data: user });
  await expect
    .poll(async () => (await svix.messageAttempt.listByEndpoint('internal', id)).data)
    .toMatchObject([{ status: 0, responseStatusCode: 200, url: `${receiver.url}/hook` }]);
  await svix.endpoint.delete('internal', id);
  expect((await svix.endpoint.list('internal')).data).toEqual([]);
});
