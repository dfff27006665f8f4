import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { soon } from '../../../test/soon.ts';
import { json, knownError } from '../../../test/stub-server.ts';
import { accessToken } from '../../../test/tokens.ts';
import { createWorld } from '../../../test/world.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const route = 'POST /api/v1/auth/mfa/sign-in';

test.each([
  [true, 'replace /welcome'],
  [false, 'replace /'],
])('the digits finish the sign-in (new account: %s)', async (isNew, visit) => {
  const { openTab, server } = createWorld();
  server.routes[route] = () =>
    json({ access_token: accessToken(), refresh_token: 'r', user_id: 'u', is_new_user: isNew });
  const { app, visited, stored } = openTab({ redirectMethod: 'window', urls: { afterSignUp: '/welcome' } });
  stored.set('stack_mfa_attempt_code', 'att');
  expect(await soon(app.signInWithMfa('123456', 'att'))).toEqual({ status: 'ok', data: undefined });
  expect(JSON.parse(server.to(route)[0]?.body ?? '')).toEqual({ type: 'totp', totp: '123456', code: 'att' });
  expect(visited).toEqual([visit]);
  expect(stored.size).toBe(0);
});

test.each([
  ['INVALID_TOTP_CODE', 400],
  ['VERIFICATION_CODE_EXPIRED', 400],
  ['VERIFICATION_CODE_MAX_ATTEMPTS_REACHED', 400],
])('control 61: %s is returned, the attempt stays and no user is signed in', async (code, status) => {
  const { openTab, server, browser } = createWorld();
  server.routes[route] = () => knownError(code, status);
  const { app, stored } = openTab();
  stored.set('stack_mfa_attempt_code', 'att');
  expect(await soon(app.signInWithMfa('123456', 'att', { noRedirect: true }))).toMatchObject({
    status: 'error',
    error: { errorCode: code },
  });
  expect(stored.get('stack_mfa_attempt_code')).toBe('att');
  expect(browser.cookies.names()).toEqual(['stack-is-https']);
});
