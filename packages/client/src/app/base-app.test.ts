import { expect, test } from 'vitest';
import { adminApp, clientApp, machine, serverApp } from '../test/apps.ts';
import { createStubServer, json } from '../test/stub-server.ts';
import { AdminApp } from './admin-app.ts';
import { ClientApp } from './app.ts';
import { internals } from './internals-symbol.ts';
import { ServerApp } from './server-app.ts';

const platform = machine(fetch);

test.each([
  ['client', clientApp(platform), [true, false, false]],
  ['server', serverApp(platform), [true, true, false]],
  ['admin', adminApp(platform), [true, true, true]],
])('a %s app is an instance of its own level and of the lower ones', (_, app, expected) => {
  expect([app instanceof ClientApp, app instanceof ServerApp, app instanceof AdminApp]).toEqual(expected);
});

test.each([undefined, null, 'app', {}])('%s is not an app', value => {
  expect((value as object) instanceof ClientApp).toBe(false);
});

test('the raw request of an app without a token store has the keys of its level and no user', async () => {
  const server = createStubServer({ '*': () => json({}) });
  const app = adminApp(machine(server.fetch), { tokenStore: null });
  const { status } = await app[internals].sendRequest('/internal/projects/current', {}, 'admin');
  expect(status).toBe(200);
  const [{ headers } = { headers: new Headers() }] = server.seen;
  expect(headers.get('x-stack-super-secret-admin-key')).toBe('sak');
  expect(headers.has('x-stack-access-token')).toBe(false);
});
