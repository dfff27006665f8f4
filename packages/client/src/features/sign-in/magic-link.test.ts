import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clientApp, machine } from '../../test/apps.ts';
import { soon } from '../../test/soon.ts';
import { json, knownError, text } from '../../test/stub-server.ts';
import { accessToken } from '../../test/tokens.ts';
import { createWorld } from '../../test/world.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const sendRoute = 'POST /api/v1/auth/otp/send-sign-in-code';
const signInRoute = 'POST /api/v1/auth/otp/sign-in';

const tokens = (isNew: boolean) =>
  json({ access_token: accessToken(), refresh_token: 'otp', user_id: 'u', is_new_user: isNew });

test('a sign-in email is sent with the callback page, and the nonce is returned', async () => {
  const { openTab, server } = createWorld();
  server.routes[sendRoute] = () => json({ nonce: 'n0nce' });
  const { app } = openTab({}, 'https://shop.example/handler/sign-in?after_auth_return_to=%2Fcart');
  expect(await soon(app.sendMagicLinkEmail('ada@example.com'))).toEqual({ status: 'ok', data: { nonce: 'n0nce' } });
  expect(JSON.parse(server.to(sendRoute)[0]?.body ?? '')).toEqual({
    email: 'ada@example.com',
    callback_url: 'https://shop.example/handler/magic-link-callback?after_auth_return_to=%2Fcart',
  });
});

test('on a server a missing callback URL throws', async () => {
  const { server } = createWorld();
  server.routes[sendRoute] = () => json({ nonce: 'n0nce' });
  const app = clientApp(machine(server.fetch));
  await expect(app.sendMagicLinkEmail('ada@example.com')).rejects.toThrow('callbackUrl');
  const sent = app.sendMagicLinkEmail('ada@example.com', { callbackUrl: 'https://shop.example/link' });
  expect(await soon(sent)).toMatchObject({ status: 'ok' });
});

test('an untrusted callback URL is returned as an error, and a disabled method throws', async () => {
  const { openTab, server } = createWorld();
  const { app } = openTab();
  server.routes[sendRoute] = () => knownError('REDIRECT_URL_NOT_WHITELISTED', 400);
  expect(await soon(app.sendMagicLinkEmail('ada@example.com'))).toMatchObject({
    status: 'error',
    error: { errorCode: 'REDIRECT_URL_NOT_WHITELISTED' },
  });
  server.routes[sendRoute] = () => text(403, 'magic links are switched off');
  await expect(soon(app.sendMagicLinkEmail('ada@example.com'))).rejects.toThrow('switched off');
});

test.each([
  [true, 'replace /welcome'],
  [false, 'replace /back'],
])('a code signs in; whether the account is new (%s) says where to go', async (isNew, visit) => {
  const { openTab, server, sessions } = createWorld();
  sessions.add('otp');
  server.routes[signInRoute] = () => tokens(isNew);
  const { app, visited } = openTab({
    redirectMethod: 'window',
    urls: { afterSignIn: '/back', afterSignUp: '/welcome' },
  });
  expect(await soon(app.signInWithMagicLink('abcdefn0nce'))).toEqual({ status: 'ok', data: undefined });
  expect(visited).toEqual([visit]);
  expect(server.to(signInRoute)[0]?.body).toBe('{"code":"abcdefn0nce"}');
  expect((await soon(app.getUser()))?.primaryEmail).toBe('ada@example.com');
});

test('a wrong code is returned as an error, and a second factor redirects to its page', async () => {
  const { openTab, server } = createWorld();
  const { app, visited, stored } = openTab({ redirectMethod: 'window' });
  server.routes[signInRoute] = () => knownError('VERIFICATION_CODE_NOT_FOUND', 404);
  expect(await soon(app.signInWithMagicLink('x', { noRedirect: true }))).toMatchObject({
    error: { errorCode: 'VERIFICATION_CODE_NOT_FOUND' },
  });
  server.routes[signInRoute] = () => knownError('MULTI_FACTOR_AUTHENTICATION_REQUIRED', 400, { attempt_code: 'att' });
  await expect(soon(app.signInWithMagicLink('x'))).rejects.toThrow('A second factor is needed');
  expect(visited).toEqual(['assign /handler/mfa']);
  expect(stored.get('stack_mfa_attempt_code')).toBe('att');
});

test('with the session of an anonymous user, sign-in upgrades that user', async () => {
  const { openTab, server, ada } = createWorld({ is_anonymous: true });
  const { app } = openTab();
  await soon(app.signInWithCredential(ada));
  server.routes[signInRoute] = () => tokens(true);
  await soon(app.signInWithMagicLink('x', { noRedirect: true }));
  expect(server.to(signInRoute)[0]?.headers.get('x-stack-refresh-token')).toBe('refresh-1');
});
