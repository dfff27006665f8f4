import { expect, test } from 'vitest';
import { type AnyAppOptions, resolveConfig } from '../app/config/config.ts';
import { adminKeys } from '../app/config/server-keys.ts';
import { Session } from '../session/session.ts';
import { settings } from '../test/apps.ts';
import { headersFor } from './headers.ts';

const tokens = { accessToken: 'access', refreshToken: 'refresh' };
const keys: Partial<AnyAppOptions> = { secretServerKey: 'ssk', superSecretAdminKey: 'sak' };
const owner = new Session(tokens, { now: Date.now, refresh: async () => null });

function sent(level: 'client' | 'server' | 'admin', options: Partial<AnyAppOptions> = {}, own?: HeadersInit) {
  const config = resolveConfig({ ...settings, ...keys, ...options }, 'server', adminKeys);
  const headers = headersFor(config, level, tokens, options.projectOwnerSession ? tokens : null, own);
  return Object.fromEntries([...headers].filter(([name]) => name !== 'x-stack-random-nonce'));
}

const always = {
  'ngrok-skip-browser-warning': 'true',
  'x-stack-access-token': 'access',
  'x-stack-client-version': 'js @tessera/client@0.1.0',
  'x-stack-override-error-status': 'true',
  'x-stack-project-id': 'p1',
  'x-stack-refresh-token': 'refresh',
};

test('a client call sends the publishable key and no other key of the app', () => {
  expect(sent('client')).toEqual({
    ...always,
    'x-stack-access-type': 'client',
    'x-stack-publishable-client-key': 'pck',
  });
});

test('a server call adds the secret key, and an admin call adds both keys', () => {
  expect(sent('server')).toEqual({
    ...always,
    'x-stack-access-type': 'server',
    'x-stack-publishable-client-key': 'pck',
    'x-stack-secret-server-key': 'ssk',
  });
  expect(sent('admin')).toEqual({
    ...always,
    'x-stack-access-type': 'admin',
    'x-stack-publishable-client-key': 'pck',
    'x-stack-secret-server-key': 'ssk',
    'x-stack-super-secret-admin-key': 'sak',
  });
});

test("an owner's session replaces all keys", () => {
  const none = { publishableClientKey: undefined, secretServerKey: undefined, superSecretAdminKey: undefined };
  expect(sent('admin', { ...none, projectOwnerSession: owner })).toEqual({
    ...always,
    'x-stack-access-type': 'admin',
    'x-stack-admin-access-token': 'access',
    'x-stack-secret-server-key': '',
    'x-stack-super-secret-admin-key': '',
  });
});

test('extra headers override the SDK headers, and call headers override both, in any letter case', () => {
  const extraRequestHeaders = { 'X-STACK-Access-Type': 'extra', 'X-Mine': 'extra', 'x-other': 'extra' };
  const headers = sent('client', { extraRequestHeaders }, { 'x-mine': 'own' });
  expect(headers).toMatchObject({ 'x-stack-access-type': 'extra', 'x-mine': 'own', 'x-other': 'extra' });
});
