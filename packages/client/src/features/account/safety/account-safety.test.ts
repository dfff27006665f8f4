import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sent, signedIn, success } from '../../../test/signed-in.ts';
import { soon } from '../../../test/soon.ts';
import { json, knownError } from '../../../test/stub-server.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const prove = 'POST /api/v1/extensions/reauthentication';

describe('reauthentication', () => {
  test('the methods are read with camel-case names', async () => {
    const methods = [{ method: 'password', needs_totp: true }];
    const { user } = await signedIn({ 'GET /api/v1/extensions/reauthentication': () => json({ methods }) });
    expect(await soon(user.getReauthenticationMethods())).toEqual([{ method: 'password', needsTotp: true }]);
  });

  test('a password and a code are sent as they are given', async () => {
    const { user, server } = await signedIn({
      [prove]: success,
      'POST /api/v1/extensions/reauthentication/send-code': () => json({ nonce: 'n0nce' }),
    });
    expect(await soon(user.reauthenticate({ password: 'correct horse', totp: '123456' }))).toMatchObject({
      status: 'ok',
    });
    const recoveryCode = '4f0k-9zqt-1m7c-h2vd';
    expect(await soon(user.reauthenticate({ password: 'correct horse', recoveryCode }))).toMatchObject({
      status: 'ok',
    });
    const nonce = await soon(user.sendReauthenticationCode());
    expect(await soon(user.reauthenticate({ code: `AB12CD${nonce}` }))).toMatchObject({ status: 'ok' });
    const proofs = sent(server).filter(line => line.startsWith('POST /extensions/reauthentication {'));
    expect(proofs).toEqual([
      'POST /extensions/reauthentication {"password":"correct horse","totp":"123456"}',
      'POST /extensions/reauthentication {"password":"correct horse","recovery_code":"4f0k-9zqt-1m7c-h2vd"}',
      'POST /extensions/reauthentication {"code":"AB12CDn0nce"}',
    ]);
  });

  test.each([
    'PASSWORD_CONFIRMATION_MISMATCH',
    'VERIFICATION_CODE_EXPIRED',
    'INVALID_TOTP_CODE',
    'INVALID_RECOVERY_CODE',
  ])('%s is a result, not an exception', async errorCode => {
    const { user } = await signedIn({ [prove]: () => knownError(errorCode, 400) });
    expect(await soon(user.reauthenticate({ password: 'x' }))).toMatchObject({
      status: 'error',
      error: { errorCode },
    });
  });

  test('a passkey outside a browser is refused', async () => {
    const { user } = await signedIn();
    await expect(soon(user.reauthenticate({ passkey: true }))).rejects.toThrow('requires a browser');
  });

  test('a change that needs a reauthentication throws its code', async () => {
    const { user } = await signedIn({
      'PATCH /api/v1/users/me': () => knownError('REAUTHENTICATION_REQUIRED', 403),
    });
    await expect(soon(user.update({ totpMultiFactorSecret: null }))).rejects.toMatchObject({
      errorCode: 'REAUTHENTICATION_REQUIRED',
    });
  });
});

describe('recovery codes', () => {
  test('the status has a count and a date', async () => {
    let body: object = { remaining: 9, created_at_millis: 5 };
    const { user } = await signedIn({ 'GET /api/v1/extensions/recovery-codes': () => json(body) });
    expect(await soon(user.getRecoveryCodeStatus())).toEqual({ remaining: 9, createdAt: new Date(5) });
    body = { remaining: 0, created_at_millis: null };
    expect(await soon(user.getRecoveryCodeStatus())).toEqual({ remaining: 0, createdAt: null });
  });

  test('new codes are returned', async () => {
    const { user } = await signedIn({ 'POST /api/v1/extensions/recovery-codes': () => json({ codes: ['a', 'b'] }) });
    expect(await soon(user.createRecoveryCodes())).toEqual(['a', 'b']);
  });

  test('one finishes a sign-in, and a wrong one is a result', async () => {
    let answer = () => knownError('INVALID_RECOVERY_CODE', 400);
    const { app, server } = await signedIn({ 'POST /api/v1/extensions/recovery-codes/sign-in': () => answer() });
    const signIn = () => soon(app.signInWithRecoveryCode('4f0k-9zqt-1m7c', 'attempt', { noRedirect: true }));
    expect(await signIn()).toMatchObject({ status: 'error', error: { errorCode: 'INVALID_RECOVERY_CODE' } });
    answer = () => json({ access_token: 'a', refresh_token: 'b', user_id: 'u', is_new_user: false, remaining: 8 });
    expect(await signIn()).toEqual({ status: 'ok', data: { remaining: 8 } });
    expect(sent(server)[0]).toBe(
      'POST /extensions/recovery-codes/sign-in {"recovery_code":"4f0k-9zqt-1m7c","code":"attempt"}',
    );
  });
});

describe('the deletion of the own account', () => {
  const route = 'POST /api/v1/extensions/account-deletion';

  test('is read with the teams that need another administrator', async () => {
    const teams = [{ id: 't1', display_name: 'Engines' }];
    const scheduled = { requested_at_millis: 1, deletes_at_millis: 5 };
    const { user } = await signedIn({
      'GET /api/v1/extensions/account-deletion': () => json({ scheduled, teams_without_successor: teams }),
    });
    expect(await soon(user.getAccountDeletion())).toEqual({
      deletesAt: new Date(5),
      teamsWithoutSuccessor: [{ id: 't1', displayName: 'Engines' }],
    });
  });

  test('is scheduled, and the session stays', async () => {
    const { user } = await signedIn({ [route]: () => json({ deletes_at_millis: 5 }) });
    expect(await soon(user.requestDeletion())).toEqual(new Date(5));
    expect(await user.currentSession.getTokens()).toMatchObject({ refreshToken: 'r' });
  });

  test('ends the session when the account is deleted at once', async () => {
    const { user } = await signedIn({ [route]: () => json({ deletes_at_millis: null }) });
    expect(await soon(user.requestDeletion())).toBeNull();
    expect(await user.currentSession.getTokens()).toEqual({ accessToken: null, refreshToken: null });
  });

  test('is cancelled', async () => {
    const { user, server } = await signedIn({ 'DELETE /api/v1/extensions/account-deletion': success });
    await soon(user.cancelDeletion());
    expect(sent(server)).toEqual(['DELETE /extensions/account-deletion']);
  });
});
