import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clientApp, machine } from '../../../test/apps.ts';
import { sent, success } from '../../../test/signed-in.ts';
import { soon } from '../../../test/soon.ts';
import { createStubServer, json, knownError } from '../../../test/stub-server.ts';
import { createWorld } from '../../../test/world.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the password reset email is requested with its callback page', async () => {
  const { openTab, server } = createWorld();
  server.routes['POST /api/v1/auth/password/send-reset-code'] = () =>
    json({ success: 'maybe, only if user with e-mail exists' });
  const { app } = openTab();
  expect(await soon(app.sendForgotPasswordEmail('ada@example.com'))).toEqual({ status: 'ok', data: undefined });
  const callbackUrl = 'https://shop.example/choose';
  expect(await soon(app.sendForgotPasswordEmail('ada@example.com', { callbackUrl }))).toMatchObject({ status: 'ok' });
  expect(sent(server)).toEqual([
    'POST /auth/password/send-reset-code {"email":"ada@example.com","callback_url":"https://shop.example/handler/password-reset"}',
    'POST /auth/password/send-reset-code {"email":"ada@example.com","callback_url":"https://shop.example/choose"}',
  ]);
});

test('checking a reset code does not use it up, and resetting sends it with the password', async () => {
  const server = createStubServer({
    'POST /api/v1/auth/password/reset/check-code': () => json({ is_code_valid: true }),
    'POST /api/v1/auth/password/reset': success,
  });
  const app = clientApp(machine(server.fetch), { tokenStore: null });
  expect(await soon(app.verifyPasswordResetCode('c0de'))).toEqual({ status: 'ok', data: undefined });
  const reset = app.resetPassword({ code: 'c0de', password: 'another good one' });
  expect(await soon(reset)).toEqual({ status: 'ok', data: undefined });
  expect(sent(server)).toEqual([
    'POST /auth/password/reset/check-code {"code":"c0de"}',
    'POST /auth/password/reset {"code":"c0de","password":"another good one"}',
  ]);
});

test('an invalid code is returned as an error, and an invalid password throws', async () => {
  const server = createStubServer({ '*': () => knownError('VERIFICATION_CODE_EXPIRED', 400) });
  const app = clientApp(machine(server.fetch), { tokenStore: null });
  const expired = { status: 'error', error: { errorCode: 'VERIFICATION_CODE_EXPIRED' } };
  expect(await soon(app.verifyPasswordResetCode('c0de'))).toMatchObject(expired);
  expect(await soon(app.resetPassword({ code: 'c0de', password: 'x' }))).toMatchObject(expired);
  server.routes['*'] = () => knownError('PASSWORD_TOO_SHORT', 400, { min_length: 8 });
  await expect(soon(app.resetPassword({ code: 'c0de', password: 'x' }))).rejects.toMatchObject({
    errorCode: 'PASSWORD_TOO_SHORT',
  });
});
