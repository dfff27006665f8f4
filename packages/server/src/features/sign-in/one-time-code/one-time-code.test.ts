import { signInCodeLifetimeMs } from '@tessera/protocol';
import type { CallOptions } from '@tessera/testing/call';
import { anId, aSecret, aToken, type Outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { whileDeleting, whileHolding } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import {
  callback,
  expired,
  invalid,
  isValid,
  noCode,
  notFound,
  openScene,
  plainPasswords,
  refused,
  type Scene,
  tooMany,
  untrusted,
  used,
} from '../scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let email: string;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  email = scene.address();
});

const secret = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=';
const sent = { status: 200, body: { nonce: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{39}$/) } };
const signUpOff = { status: 400, code: 'SIGN_UP_NOT_ENABLED' };
const taken = (address = email) => ({ status: 409, code: 'USER_EMAIL_ALREADY_EXISTS', details: { email: address } });
const signedIn = (is_new_user: boolean, user_id: unknown = anId) => ({
  status: 200,
  body: { access_token: aToken, refresh_token: aSecret, user_id, is_new_user },
});

const send = (address: unknown = email, body: object = {}, options: CallOptions = {}) =>
  scene.call('POST /auth/otp/send-sign-in-code', {
    ...options,
    body: { email: address, callback_url: callback, ...body },
  });
const signIn = (code: string, options: CallOptions = {}) =>
  scene.call('POST /auth/otp/sign-in', { ...options, body: { code } });
const check = (code: string, options: CallOptions = {}) =>
  scene.call('POST /auth/otp/sign-in/check-code', { ...options, body: { code } });
const account = (more: object = {}) =>
  scene.person({
    primary_email: email,
    primary_email_auth_enabled: true,
    primary_email_verified: true,
    ...more,
  });
const userIdOf = (outcome: Outcome) => (outcome as unknown as { body: { user_id: string } }).body.user_id;

async function sentCode(address = email): Promise<string> {
  await send(address);
  return scene.emailedCode();
}

test('GET /extensions/email-code follows what a request for a code does for the caller', async () => {
  const { accessToken } = await account();
  const read = () => scene.call('GET /extensions/email-code', { accessToken });
  const is = (state: string) => ({ status: 200, body: { state } });
  expect(await read()).toEqual(is('first_use'));
  await send();
  expect(await read()).toEqual(is('on'));
  await scene.call('PATCH /users/me', { accessToken, body: { otp_auth_enabled: false } });
  expect(await read()).toEqual(is('refused'));
  expect(await send()).toEqual(taken());
});

describe('POST /auth/otp/send-sign-in-code', () => {
  test.each(['client', 'server', 'admin'] as const)('sends code and link at level %s', async level => {
    const answer = await send(email.toUpperCase(), {}, { level });
    expect(answer).toEqual(sent);
    const { nonce } = (answer as unknown as { body: { nonce: string } }).body;
    const [message, ...more] = await scene.takeEmails();
    expect(more).toEqual([]);
    const otp = message?.variables.otp ?? '';
    expect(otp).toMatch(/^[0-9A-HJKMNP-TV-Z]{6}$/);
    expect(message).toEqual({
      template: 'magic_link',
      recipient: email,
      variables: { otp, magicLink: `http://localhost:3000/handler?code=${otp.toLowerCase()}${nonce}&from=mail` },
    });
    expect(await signIn(otp + nonce)).toEqual(signedIn(true));
  });

  test.each([
    ['js @stackframe/stack@2.5.37', false],
    ['js @stackframe/stack@2.5.38', true],
  ])(
    'for %s the body of the email has the code: %s, the subject always has it, and the nonce is returned',
    async (version, isThere) => {
      const answer = await send(email, {}, { headers: { 'x-stack-client-version': version } });
      expect(answer).toEqual(sent);
      const [message] = await server.mailbox(email);
      const otp = message?.code.slice(0, 6).toUpperCase() ?? '';
      expect(message?.subject).toBe(`Sign in to A project: Your code is ${otp}`);
      expect(message?.text.split('\n').includes(otp)).toBe(isThere);
      expect(message?.text.includes(otp)).toBe(isThere);
      expect(await signIn(message?.code ?? '')).toEqual(signedIn(true));
    },
  );

  test('enables sign-in by code for an account with a verified address', async () => {
    const ada = await account();
    expect(await scene.userById(ada.id)).toMatchObject({ otp_auth_enabled: false });
    expect(await send()).toEqual(sent);
    expect(await scene.userById(ada.id)).toMatchObject({ otp_auth_enabled: true });
  });

  test('is refused with 403 while the method is off, before every other check', async () => {
    await account({ primary_email_verified: false });
    await scene.configure({ magicLinkEnabled: false, signUpEnabled: false });
    expect(await send(email, { callback_url: 'https://evil.example/' })).toEqual(refused(403));
    expect(await scene.takeEmails()).toEqual([]);
  });

  test('refuses an account with an unverified address, before it checks the callback', async () => {
    await account({ primary_email_verified: false });
    expect(await send(email.toUpperCase(), { callback_url: 'https://evil.example/' })).toEqual(taken());
    expect(await scene.takeEmails()).toEqual([]);
  });

  test('refuses an address of a password sign-up that is not verified', async () => {
    const ada = await server.make.user({ project: scene.project, email });
    expect(await send()).toEqual(taken());
    expect(await scene.userById(ada.userId)).toMatchObject({ otp_auth_enabled: false });
  });

  test('refuses an unknown address while sign-up is off, before it checks the callback', async () => {
    await scene.configure({ signUpEnabled: false });
    expect(await send(email, { callback_url: 'https://evil.example/' })).toEqual(signUpOff);
    await account();
    expect(await send()).toEqual(sent);
  });

  test('refuses an untrusted callback', async () => {
    const untrustedUrl = { callback_url: 'https://evil.example/' };
    expect(await send(email, untrustedUrl)).toEqual(untrusted);
    const ada = await account();
    expect(await send(email, untrustedUrl)).toEqual(untrusted);
    expect(await scene.userById(ada.id)).toMatchObject({ otp_auth_enabled: false });
    expect(await scene.takeEmails()).toEqual([]);
  });

  test.each([
    { email: 'nonsense' },
    { email: 'a@b' },
    { email: '' },
    { email: ' ada@example.com' },
    { email: '.ada@example.com' },
    { email: null },
    { callback_url: '/relative' },
    { callback_url: 'http://localhost/a b' },
    { callback_url: null },
    { more: 1 },
  ])('refuses %j', async body => {
    expect(await send(email, body)).toEqual(invalid);
  });

  test('control 19: the eleventh open code replaces the oldest', async () => {
    const codes = [];
    for (let count = 0; count < 11; count++) {
      codes.push(await scene.code('sign_in', { address: email, data: {} }));
      server.clock.advance(1);
    }
    expect(await check(codes[0] ?? '')).toEqual(notFound);
    expect(await check(codes[1] ?? '')).toEqual(isValid);
  });

  test('a user who is deleted during the request does not cause a 500', async () => {
    const ada = await account();
    expect(await whileDeleting(server, ada.id, () => send())).toEqual(sent);
  });
});

describe('a sign-in by code that an update has switched off', () => {
  const switchTo = ({ accessToken }: { accessToken: string }, otp_auth_enabled: boolean) =>
    scene.call('PATCH /users/me', { accessToken, body: { otp_auth_enabled } });

  test('codes are neither sent nor accepted until an update switches the method on', async () => {
    const ada = await account();
    const before = await sentCode();
    await switchTo(ada, false);
    expect(await send()).toEqual(taken());
    expect(await scene.takeEmails()).toMatchObject([{ template: 'email_code_switched_off' }]);
    expect(await signIn(before)).toEqual(taken());
    expect(await scene.userById(ada.id)).toMatchObject({ otp_auth_enabled: false });
    await switchTo(ada, true);
    expect(await signIn(await sentCode())).toEqual(signedIn(false, ada.id));
  });

  test('a server can switch the method off and on', async () => {
    const ada = await account();
    const update = (otp_auth_enabled: boolean) =>
      scene.call('PATCH /users/{user_id}', {
        level: 'server',
        params: { user_id: ada.id },
        body: { otp_auth_enabled },
      });
    await update(false);
    expect(await send()).toEqual(taken());
    await update(true);
    expect(await send()).toEqual(sent);
  });

  test('an account whose method no update has changed signs in by code, also when it was created without the method', async () => {
    const ada = await account({ otp_auth_enabled: false });
    await scene.call('PATCH /users/me', { accessToken: ada.accessToken, body: { display_name: 'Ada' } });
    expect(await signIn(await sentCode())).toEqual(signedIn(false, ada.id));
  });
});

describe('POST /auth/otp/sign-in', () => {
  test.each(['client', 'server', 'admin'] as const)('creates an account at level %s', async level => {
    const answer = await signIn(await sentCode(email.toUpperCase()), { level });
    expect(answer).toEqual(signedIn(true));
    expect(await scene.userById(userIdOf(answer))).toMatchObject({
      primary_email: email,
      primary_email_verified: true,
      primary_email_auth_enabled: true,
      otp_auth_enabled: true,
      has_password: false,
      auth_with_email: true,
      is_anonymous: false,
      display_name: null,
    });
  });

  test('signs in to the account of a verified address', async () => {
    const ada = await account();
    const answer = await signIn(await sentCode());
    expect(answer).toEqual(signedIn(false, ada.id));
    expect(await scene.sessionsOf(ada.id)).toBe(2);
  });

  test('an account that a server created signs in without the method, and while sign-up is off', async () => {
    const ada = await account();
    const code = await scene.code('sign_in', { address: email, data: {} });
    await scene.configure({ signUpEnabled: false });
    expect(await signIn(code)).toEqual(signedIn(false, ada.id));
  });

  test('an address that is not used for sign-in counts as unknown', async () => {
    const ada = await scene.person({ primary_email: email, primary_email_verified: true });
    const answer = await signIn(await sentCode());
    expect(answer).toEqual(signedIn(true));
    expect(userIdOf(answer)).not.toBe(ada.id);
  });

  test('of two codes the first creates the account, the second signs in', async () => {
    const [one, other] = [await sentCode(), await sentCode()];
    const first = await signIn(other);
    expect(first).toEqual(signedIn(true));
    expect(await signIn(one)).toEqual(signedIn(false, userIdOf(first)));
  });

  test('control 73: ten concurrent codes for one address create one account, and all sign in', async () => {
    const codes = await Promise.all(
      Array.from({ length: 10 }, () => scene.code('sign_in', { address: email, data: {} })),
    );
    const answers = await Promise.all(codes.map(code => signIn(code)));
    expect(new Set(answers.map(userIdOf)).size).toBe(1);
    expect(answers.filter(answer => (answer as { body: { is_new_user: boolean } }).body.is_new_user)).toHaveLength(1);
  });

  test('of a concurrent code and password sign-up with one address one succeeds, and the other is refused with 409', async () => {
    for (let round = 0; round < 5; round++) {
      email = scene.address();
      const code = await scene.code('sign_in', { address: email, data: {} });
      const body = { email, password: 'correct horse', verification_callback_url: callback };
      const answers = await Promise.all([signIn(code), scene.call('POST /auth/password/sign-up', { body })]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 200)).toEqual([taken()]);
    }
  });

  test('control 16: of 100 concurrent uses of one code one signs in, and one account is created', async () => {
    const code = await sentCode();
    const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(code)));
    expect(answers.filter(({ status }) => status === 200)).toEqual([signedIn(true)]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const users = await scene.call('GET /users', { level: 'server' });
    expect(users).toMatchObject({ body: { items: [expect.anything()] } });
  });

  test('a code works once', async () => {
    const code = await sentCode();
    expect(await signIn(code)).toEqual(signedIn(true));
    expect([await signIn(code), await check(code)]).toEqual([used, used]);
  });

  test('the code is the six characters and the nonce, in any letter case', async () => {
    const code = await sentCode();
    expect(await signIn(code.slice(0, 6).toUpperCase() + code.slice(6))).toEqual(signedIn(true));
    expect(await signIn((await sentCode()).toUpperCase())).toEqual(signedIn(false));
  });

  test('control 14: after twenty wrong guesses the right code is refused', async () => {
    const code = await sentCode();
    const guesses = Array.from({ length: 20 }, (_, index) => `${String(index).padStart(6, '0')}${code.slice(6)}`);
    for (const guess of guesses) expect(await signIn(guess)).toEqual(notFound);
    expect([await signIn(code), await check(code)]).toEqual([tooMany, tooMany]);
  });

  test('control 22: a new code does not reset the attempts of an older one', async () => {
    const code = await sentCode();
    for (let count = 0; count < 20; count++) await signIn(`000000${code.slice(6)}`);
    const next = await sentCode();
    expect([await signIn(code), await signIn(next)]).toEqual([tooMany, signedIn(true)]);
  });

  test('control 17: a code expires after fifteen minutes', async () => {
    const [code, late] = [await sentCode(), await sentCode()];
    server.clock.advance(signInCodeLifetimeMs - 1);
    expect(await signIn(code)).toEqual(signedIn(true));
    server.clock.advance(1);
    expect([await signIn(late), await check(late)]).toEqual([expired, expired]);
  });

  test('control 20: codes of another kind or project are refused', async () => {
    const { id: userId } = await account();
    const others = [
      await scene.code('password_reset', { userId, address: email, data: {} }),
      await scene.code('email_verification', { userId, address: email, data: {} }),
      await scene.code('mfa_attempt', { userId, data: { isNewUser: false } }),
      await scene.code('unsubscribe', { userId, data: { categoryId: 'any' } }),
      await (await openScene(server)).code('sign_in', { address: email, data: {} }),
      noCode,
    ];
    for (const code of others) expect([await signIn(code), await check(code)]).toEqual([notFound, notFound]);
  });

  test('a code is refused and spent when an account has the address unverified meanwhile', async () => {
    const code = await sentCode();
    await account({ primary_email_verified: false });
    expect([await signIn(code), await signIn(code)]).toEqual([taken(), used]);
  });

  test('a code is refused when the address was removed from its account meanwhile', async () => {
    const ada = await account();
    const code = await sentCode();
    const params = { user_id: ada.id };
    await scene.call('PATCH /users/{user_id}', { level: 'server', params, body: { primary_email_verified: false } });
    expect(await signIn(code)).toEqual(taken());
  });

  test('a code of an unknown address is refused and spent when sign-up was switched off meanwhile', async () => {
    const code = await sentCode();
    await scene.configure({ signUpEnabled: false });
    expect([await signIn(code), await signIn(code)]).toEqual([signUpOff, used]);
  });

  test('a code that was sent before the method was switched off still signs in', async () => {
    const ada = await account();
    const code = await sentCode();
    await scene.configure({ magicLinkEnabled: false });
    expect(await signIn(code)).toEqual(signedIn(false, ada.id));
  });

  test('a code that was sent before the method was switched off creates no account', async () => {
    const [code, other] = [await sentCode(), await sentCode()];
    await scene.configure({ magicLinkEnabled: false });
    expect(await check(code)).toEqual(isValid);
    expect([await signIn(code), await signIn(code)]).toEqual([refused(403), used]);
    await scene.configure({ signUpEnabled: false });
    expect(await signIn(other)).toEqual(signUpOff);
    expect(await scene.call('GET /users', { level: 'server' })).toMatchObject({ body: { items: [] } });
  });

  test('control 21: a code is refused when the address leaves the account during the request', async () => {
    const ada = await account();
    const code = await sentCode();
    const [channel] = await server.deps.db.query<{ id: string }>(
      sql`select id from contact_channels where project_id = ${scene.project.id} and user_id = ${ada.id}`,
    );
    const answer = await whileHolding(server, ada.id, {
      work: () => signIn(code),
      meanwhile: tx => tx.query(sql`delete from contact_channels where id = ${channel?.id ?? ''}`),
    });
    expect(answer).toEqual(notFound);
    expect(await scene.sessionsOf(ada.id)).toBe(1);
  });

  test('control 61: with a second factor a code returns an attempt and no token, and is spent', async () => {
    const ada = await account({ totp_secret_base64: secret });
    const code = await sentCode();
    const details = { attempt_code: aSecret };
    expect(await signIn(code)).toEqual({ status: 400, code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED', details });
    expect(await scene.sessionsOf(ada.id)).toBe(1);
    expect(await signIn(code)).toEqual(used);
  });

  test('a user who is deleted during the sign-in does not cause a 500', async () => {
    const ada = await account();
    const code = await sentCode();
    expect(await whileDeleting(server, ada.id, () => signIn(code))).toEqual(notFound);
  });
});

describe('POST /auth/otp/sign-in/check-code', () => {
  test.each(['client', 'server', 'admin'] as const)('checks a code at level %s', async level => {
    expect(await check(await sentCode(), { level })).toEqual(isValid);
  });

  test('control 18: a check does not spend the code, and counts as an attempt', async () => {
    const [code, other] = [await sentCode(), await sentCode()];
    for (let count = 0; count < 19; count++) expect(await check(code)).toEqual(isValid);
    expect(await signIn(code)).toEqual(signedIn(true));
    for (let count = 0; count < 20; count++) expect(await check(other)).toEqual(isValid);
    expect([await check(other), await signIn(other)]).toEqual([tooMany, tooMany]);
  });

  test.each(['POST /auth/otp/sign-in', 'POST /auth/otp/sign-in/check-code'] as const)(
    '%s refuses a malformed code',
    async route => {
      const bodies = [{ code: noCode.slice(1) }, { code: `${noCode}0` }, { code: null }, {}, { code: noCode, more: 1 }];
      for (const body of bodies) expect(await scene.call(route, { body })).toEqual(invalid);
    },
  );
});

test('control 23: no code is in the log', async () => {
  const code = await sentCode();
  await check(code);
  await signIn(code);
  for (const part of [code, code.slice(6), code.slice(0, 6).toUpperCase()]) expect(server.logged()).not.toContain(part);
});
