import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clientApp, machine } from '../../../test/apps.ts';
import { soon } from '../../../test/soon.ts';
import { json, knownError, noConnection } from '../../../test/stub-server.ts';
import { createWorld } from '../../../test/world.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const signInRoute = 'POST /api/v1/auth/password/sign-in';

test('sign-in creates the session, then redirects to the return address', async () => {
  const { openTab, ada, server } = createWorld();
  const start = 'https://shop.example/handler/sign-in?after_auth_return_to=%2Fcart';
  const { app, visited } = openTab({ redirectMethod: 'window' }, start);
  expect(await soon(app.signInWithCredential({ ...ada, noRedirect: false }))).toEqual({
    status: 'ok',
    data: undefined,
  });
  expect(visited).toEqual(['replace /cart']);
  expect(JSON.parse(server.to(signInRoute)[0]?.body ?? '')).toEqual({ email: ada.email, password: ada.password });
  expect((await soon(app.getUser()))?.primaryEmail).toBe('ada@example.com');
});

test.each(['signInWithCredential', 'signUpWithCredential'] as const)(
  'control 44: redirects to the sign-in page with a completed %s between them are not a redirect loop',
  async signIn => {
    const { openTab, ada } = createWorld();
    const { app, page, visited } = openTab({ redirectMethod: 'window' }, 'https://shop.example/cart');
    for (let round = 0; round < 4; round++) {
      page.showAddress('/cart');
      void app.redirectToSignIn({ replace: true });
      await vi.waitFor(() => vi.advanceTimersByTimeAsync(500), { timeout: 20_000 });
      await soon<unknown>(app[signIn]({ ...ada, noRedirect: true }));
    }
    expect(visited).toEqual(Array(4).fill('replace /handler/sign-in?after_auth_return_to=%2Fcart'));
  },
);

test('a wrong password is returned as an error, and the session stays the same', async () => {
  const { openTab, ada, browser } = createWorld();
  const { app } = openTab();
  const result = await soon(app.signInWithCredential({ ...ada, password: 'wrong' }));
  expect(result).toMatchObject({ status: 'error', error: { errorCode: 'EMAIL_PASSWORD_MISMATCH' } });
  expect(browser.cookies.names()).toEqual(['stack-is-https']);
});

test('the account of the first owner is created with the code of the link, and is signed in', async () => {
  const { openTab, ada, server } = createWorld();
  const route = 'POST /api/v1/extensions/first-owner';
  server.routes[route] =
    server.routes['POST /api/v1/auth/password/sign-up'] ?? (() => knownError('SIGN_UP_NOT_ENABLED', 400));
  const { app } = openTab();
  await soon(app.claimInstallation({ code: 'c1', ...ada, noRedirect: true }));
  expect(JSON.parse(server.to(route)[0]?.body ?? '')).toEqual({ code: 'c1', email: ada.email, password: ada.password });
  expect((await soon(app.getUser()))?.primaryEmail).toBe('ada@example.com');
});

test('an undeclared known error of sign-in is thrown', async () => {
  const { openTab, ada, server } = createWorld();
  server.routes[signInRoute] = () => knownError('PASSWORD_AUTHENTICATION_NOT_ENABLED', 400);
  await expect(soon(openTab().app.signInWithCredential(ada))).rejects.toMatchObject({
    errorCode: 'PASSWORD_AUTHENTICATION_NOT_ENABLED',
  });
});

test('control 46: an unreachable server is reported at once, and the next sign-in succeeds', async () => {
  const { openTab, ada, server } = createWorld();
  const { app } = openTab();
  const works = server.routes[signInRoute];
  server.routes[signInRoute] = noConnection;
  await expect(soon(app.signInWithCredential(ada))).rejects.toMatchObject({ reason: 'unreachable' });
  expect(server.to(signInRoute)).toHaveLength(1);
  server.routes[signInRoute] = works ?? noConnection;
  expect(await soon(app.signInWithCredential(ada))).toMatchObject({ status: 'ok' });
});

test('sign-up sends the callback page of the verification email', async () => {
  const { openTab, ada, server } = createWorld();
  const { app, visited } = openTab({ redirectMethod: 'window', urls: { afterSignUp: '/welcome' } });
  expect(await soon(app.signUpWithCredential({ ...ada, noRedirect: false }))).toMatchObject({ status: 'ok' });
  expect(JSON.parse(server.to('POST /api/v1/auth/password/sign-up')[0]?.body ?? '')).toEqual({
    email: ada.email,
    password: ada.password,
    verification_callback_url: 'https://shop.example/handler/email-verification',
  });
  expect(visited).toEqual(['replace /welcome']);
});

test('sign-up with a verification code waits for it before the redirect', async () => {
  const { openTab, ada, server } = createWorld();
  const route = 'POST /api/v1/auth/password/sign-up';
  const signUp = server.routes[route];
  server.routes[route] = async request => {
    const response = await signUp?.(request);
    return json({ ...(await response?.json()), email_verification_nonce: 'n1' });
  };
  const { app, visited } = openTab({ redirectMethod: 'window', urls: { afterSignUp: '/welcome' } });
  const asked: string[] = [];
  const onVerificationCode = async (nonce: string) => {
    expect((await app.getUser())?.primaryEmail).toBe(ada.email);
    asked.push(nonce, ...visited);
  };
  expect(await soon(app.signUpWithCredential({ ...ada, noRedirect: false, onVerificationCode }))).toMatchObject({
    status: 'ok',
  });
  expect([asked, visited]).toEqual([['n1'], ['replace /welcome']]);
});

test.each([
  ['USER_EMAIL_ALREADY_EXISTS', { email: 'ada@example.com' }],
  ['PASSWORD_REQUIREMENTS_NOT_MET', undefined],
  ['PASSWORD_TOO_SHORT', { min_length: 8 }],
])('%s at sign-up is returned', async (code, details) => {
  const { openTab, ada, server } = createWorld();
  server.routes['POST /api/v1/auth/password/sign-up'] = () => knownError(code, 400, details);
  const result = await soon(openTab().app.signUpWithCredential(ada));
  expect(result).toMatchObject({ status: 'error', error: { errorCode: code } });
});

test('on a server sign-up without a callback URL throws', async () => {
  const { server, ada } = createWorld();
  const app = clientApp(machine(server.fetch));
  await expect(app.signUpWithCredential(ada)).rejects.toThrow('verificationCallbackUrl');
  const signedUp = app.signUpWithCredential({ ...ada, verificationCallbackUrl: 'https://shop.example/verify' });
  expect(await soon(signedUp)).toMatchObject({ status: 'ok' });
});

test('a second factor stores the attempt for this tab and redirects to the MFA page', async () => {
  const { openTab, ada, server } = createWorld();
  server.routes[signInRoute] = () => knownError('MULTI_FACTOR_AUTHENTICATION_REQUIRED', 400, { attempt_code: 'code' });
  const { app, visited, stored } = openTab({ redirectMethod: 'window' });
  const signIn = app.signInWithCredential(ada);
  signIn.catch(() => {});
  await vi.advanceTimersByTimeAsync(1000);
  expect(visited).toEqual(['assign /handler/mfa']);
  expect(stored.get('stack_mfa_attempt_code')).toBe('code');
  await expect(soon(signIn)).rejects.toThrow('A second factor is needed');
});

test('the page of the second factor keeps the return address', async () => {
  const { openTab, server, ada } = createWorld();
  server.routes[signInRoute] = () => knownError('MULTI_FACTOR_AUTHENTICATION_REQUIRED', 400, { attempt_code: 'code' });
  const start = 'https://shop.example/handler/sign-in?after_auth_return_to=%2Fcart%3Fa%3D1';
  const { app, visited } = openTab({ redirectMethod: 'window' }, start);
  await expect(soon(app.signInWithCredential(ada))).rejects.toThrow();
  expect(visited).toEqual(['assign /handler/mfa?after_auth_return_to=%2Fcart%3Fa%3D1']);
});

test('a sign-in with secondFactor: throw stays on the page and throws the attempt', async () => {
  const { openTab, server, ada } = createWorld();
  server.routes[signInRoute] = () => knownError('MULTI_FACTOR_AUTHENTICATION_REQUIRED', 400, { attempt_code: 'code' });
  const { app, visited, stored } = openTab({ redirectMethod: 'window' });
  await expect(soon(app.signInWithCredential({ ...ada, secondFactor: 'throw' }))).rejects.toMatchObject({
    errorCode: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED',
    details: { attempt_code: 'code' },
  });
  expect(visited).toEqual([]);
  // A reload of the page continues with the second factor.
  expect(stored.get('stack_mfa_attempt_code')).toBe('code');
});

test('sign-in in an app without a token store throws', async () => {
  const { openTab, ada } = createWorld();
  await expect(openTab({ tokenStore: null }).app.signInWithCredential(ada)).rejects.toThrow('token store');
});
