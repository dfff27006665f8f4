import { expect, test } from 'vitest';
import { StackClientApp } from '../../stack.ts';
import { clientApp, machine, serverApp, settings, userJson } from '../../test/apps.ts';
import { noConnection } from '../../test/stub-server.ts';
import { ClientApp } from '../app.ts';
import { internals } from '../internals-symbol.ts';
import { fromClientJson, toClientJson } from './app-json.ts';

const platform = machine(noConnection);

test('an app serialises to plain data, and the same process restores the same app', () => {
  const app = clientApp(platform, { urls: { signIn: '/in' }, extraRequestHeaders: { 'x-a': '1' } });
  const json = toClientJson(app);
  expect(json).toEqual({
    baseUrl: 'https://auth.example',
    projectId: 'p1',
    publishableClientKey: 'pck',
    tokenStore: 'memory',
    urls: { signIn: '/in' },
    oauthScopesOnSignIn: {},
    uniqueIdentifier: expect.stringMatching(/^[0-9a-f-]{36}$/),
    redirectMethod: 'none',
    extraRequestHeaders: { 'x-a': '1' },
  });
  expect(toClientJson(app)).toEqual(json);
  expect(fromClientJson(json)).toBe(app);
});

test('another process creates one app for equal JSON', () => {
  const original = clientApp(platform, { cookieDomain: 'shop.example' });
  const json = { ...toClientJson(original), uniqueIdentifier: crypto.randomUUID() };
  expect(json.cookieDomain).toBe('shop.example');
  const app = fromClientJson(json);
  expect(app).toBeInstanceOf(ClientApp);
  expect(toClientJson(app)).toEqual(json);
  expect(fromClientJson({ ...json })).toBe(app);
  expect(() => fromClientJson({ ...json, projectId: 'p2' })).toThrow('made of other JSON');
});

test('control 43: the JSON of an app has no tokens and no server keys', () => {
  const json = JSON.stringify(toClientJson(serverApp(platform)));
  expect(json).not.toContain('ssk');
  const tokenStore = { accessToken: 'a', refreshToken: 'r' };
  expect(() => toClientJson(clientApp(platform, { tokenStore }))).toThrow('tokenStore');
});

test('control 43: two concurrent requests never share a session', async () => {
  const fetch: typeof globalThis.fetch = async (_, init) =>
    Response.json({ ...userJson, display_name: new Headers(init?.headers).get('x-stack-refresh-token') });
  const app = clientApp(machine(fetch), { tokenStore: null });
  const token = `x.${btoa('{}')}.y`;
  const nameOf = async (name: string) => {
    const auth = JSON.stringify({ accessToken: token, refreshToken: name });
    const user = await app.getUser({ tokenStore: { headers: new Headers({ 'x-stack-auth': auth }) } });
    return user?.displayName;
  };
  const rounds = Array.from({ length: 1000 }, (_, round) => [`ada-${round}`, `bob-${round}`]).flat();
  expect(await Promise.all(rounds.map(nameOf))).toEqual(rounds);
});

test('an app that cannot be serialised throws an error with the reason', () => {
  const redirectMethod = { useNavigate: () => () => {} };
  expect(() => toClientJson(clientApp(platform, { redirectMethod }))).toThrow('redirectMethod');
});

test('the migration entry point has toClientJson and fromClientJson at their original places', () => {
  const { baseUrl, projectId, publishableClientKey } = settings;
  const app = new StackClientApp({ baseUrl, projectId, publishableClientKey, tokenStore: 'memory' });
  expect(app).toBeInstanceOf(ClientApp);
  const json = app[internals].toClientJson();
  expect(json).toEqual(toClientJson(app));
  expect(StackClientApp[internals].fromClientJson(json)).toBe(app);

  const copied = { ...json, uniqueIdentifier: crypto.randomUUID() };
  const copy = StackClientApp[internals].fromClientJson(copied);
  expect(copy).not.toBe(app);
  expect(copy[internals].toClientJson()).toEqual(copied);
});
