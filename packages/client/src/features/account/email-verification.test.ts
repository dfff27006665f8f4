import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { internals } from '../../app/internals-symbol.ts';
import { clientApp, machine, serverApp, serverUserJson, userJson } from '../../test/apps.ts';
import { watch } from '../../test/readers.ts';
import { list } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { createStubServer, json, knownError, noConnection } from '../../test/stub-server.ts';
import { accessToken } from '../../test/tokens.ts';
import { createWorld } from '../../test/world.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const verifyRoute = 'POST /api/v1/contact-channels/verify';
const meRoute = 'GET /api/v1/users/me';

function verifiedAfterwards(server: ReturnType<typeof createStubServer>) {
  server.routes[verifyRoute] = () => {
    server.routes[meRoute] = () => json({ ...userJson, primary_email_verified: true });
    return json({ success: true });
  };
}

test('verifying an email address updates the watched user', async () => {
  const { openTab, ada, server } = createWorld();
  const { app } = openTab();
  await soon(app.signInWithCredential(ada));
  const reader = app[internals].user();
  reader.subscribe(() => {});
  await soon(reader.promise());
  verifiedAfterwards(server);

  expect(await soon(app.verifyEmail('c0de'))).toEqual({ status: 'ok', data: undefined });
  const [request] = server.to(verifyRoute);
  expect(JSON.parse(request?.body ?? '')).toEqual({ code: 'c0de' });
  expect(reader.peek()).toMatchObject({ status: 'ok', data: { primaryEmailVerified: true } });
});

test('verifying an email address needs no session', async () => {
  const { openTab, server } = createWorld();
  verifiedAfterwards(server);
  expect(await soon(openTab().app.verifyEmail('c0de'))).toMatchObject({ status: 'ok' });
  expect(server.seen).toHaveLength(1);
});

test('an app without a token store verifies an email address', async () => {
  const server = createStubServer({ [verifyRoute]: () => json({ success: true }) });
  const app = clientApp(machine(server.fetch), { tokenStore: null });
  expect(await soon(app.verifyEmail('c0de'))).toMatchObject({ status: 'ok' });
});

test('verifying on a server app refreshes its contact channels', async () => {
  const server = createStubServer({
    [verifyRoute]: () => json({ success: true }),
    [meRoute]: () => json(serverUserJson),
  });
  const tokens = { access_token: accessToken(), refresh_token: 'r', user_id: userJson.id };
  server.routes['POST /api/v1/auth/password/sign-in'] = () => json(tokens);
  const app = serverApp(machine(server.fetch));
  await soon(app.signInWithCredential({ email: 'ada@example.com', password: 'correct horse', noRedirect: true }));
  app[internals].user().subscribe(() => {});
  await soon(app[internals].user().promise());
  expect(await soon(app.verifyEmail('c0de'))).toMatchObject({ status: 'ok' });
  expect(server.to(meRoute).map(({ headers }) => headers.get('x-stack-access-type'))).toEqual(['server', 'server']);
});

test.each([
  ['VERIFICATION_CODE_NOT_FOUND', 404],
  ['VERIFICATION_CODE_EXPIRED', 400],
  ['VERIFICATION_CODE_ALREADY_USED', 409],
  ['VERIFICATION_CODE_MAX_ATTEMPTS_REACHED', 400],
])('the refusal %s of an email verification is returned', async (code, status) => {
  const { openTab, server } = createWorld();
  server.routes[verifyRoute] = () => knownError(code, status);
  expect(await soon(openTab().app.verifyEmail('c0de'))).toMatchObject({ status: 'error', error: { errorCode: code } });
});

test('an undeclared known error of verification is thrown', async () => {
  const { openTab, server } = createWorld();
  server.routes[verifyRoute] = () => knownError('SCHEMA_ERROR', 400, { message: 'too short' });
  await expect(soon(openTab().app.verifyEmail('c'))).rejects.toMatchObject({ errorCode: 'SCHEMA_ERROR' });
});

test('an unreachable server is reported, and a failed refetch afterwards keeps the cached user', async () => {
  const { openTab, ada, server } = createWorld();
  const { app } = openTab();
  await soon(app.signInWithCredential(ada));
  server.routes[verifyRoute] = noConnection;
  await expect(soon(app.verifyEmail('c0de'))).rejects.toMatchObject({ reason: 'unreachable' });

  server.routes[verifyRoute] = () => {
    for (const route of [meRoute, '*']) server.routes[route] = noConnection;
    return json({ success: true });
  };
  expect(await soon(app.verifyEmail('c0de'))).toMatchObject({ status: 'ok' });
});

test('another verification email is sent with the page for its link, and returns the nonce of its code', async () => {
  const { openTab, ada, server } = createWorld();
  const { app } = openTab();
  await soon(app.signInWithCredential(ada));
  const route = 'POST /api/v1/extensions/email-verification/send-code';
  server.routes[route] = () => json({ nonce: 'n2' });
  expect(await soon(app.sendVerificationCode())).toBe('n2');
  const callback_url = 'https://shop.example/handler/email-verification';
  expect(JSON.parse(server.to(route)[0]?.body ?? '')).toEqual({ callback_url });
});

test('an address that was verified on another device shows as verified on return to the page, with one request', async () => {
  const { openTab, ada, server } = createWorld();
  const { app, comeBack } = openTab();
  await soon(app.signInWithCredential(ada));
  const route = 'GET /api/v1/contact-channels';
  server.routes[route] = () => list({ id: 'c1', is_verified: false });
  const channels = await watch(await soon(app.getUser({ or: 'throw' })), 'listContactChannels');
  server.routes[route] = () => list({ id: 'c1', is_verified: true });

  await vi.advanceTimersByTimeAsync(5000);
  expect(server.to(route)).toHaveLength(1);
  // The events of focus and of visibility.
  comeBack();
  await vi.advanceTimersByTimeAsync(1);
  comeBack();
  await vi.advanceTimersByTimeAsync(5000);
  expect(channels.peek()).toMatchObject({ data: [{ id: 'c1', isVerified: true }] });
  expect(server.to(route)).toHaveLength(2);
});
