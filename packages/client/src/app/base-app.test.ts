import { expect, test } from 'vitest';
import { adminApp, clientApp, machine, serverApp } from '../test/apps.ts';
import { AdminApp } from './admin-app.ts';
import { ClientApp } from './app.ts';
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
