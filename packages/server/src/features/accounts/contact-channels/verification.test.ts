import { randomUUID } from 'node:crypto';
import { emailVerificationLifetimeMs } from '@tessera/protocol';
import type { CallOptions } from '@tessera/testing/call';
import { aSecret, type Outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { whileDeleting } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import {
  callback,
  expired,
  invalid,
  isValid,
  noCode,
  notFound,
  noUser,
  openScene,
  type Person,
  plainPasswords,
  refused,
  type Scene,
  success,
  tooMany,
  untrusted,
  used,
} from '../../sign-in/scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let email: string;
let ada: Person;
let channelId: string;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  email = scene.address();
  ada = await scene.person({ primary_email: email, display_name: 'Ada' });
  channelId = await channelIdOf(ada);
});

const levels = ['client', 'server', 'admin'] as const;
const as = ({ accessToken }: Person): CallOptions => ({ accessToken });
const asServer = { level: 'server' } as const;
const evil = 'https://evil.example/';
const alreadyVerified = { status: 409, code: 'EMAIL_ALREADY_VERIFIED' };
const signedOut = { ...invalid, details: { message: expect.stringContaining('auth.user must be defined') } };

async function channelIdOf({ id: user_id }: Person): Promise<string> {
  const answer = await scene.call('GET /contact-channels', { ...asServer, query: { user_id } });
  const { items } = (answer as unknown as { body: { items: { id: string }[] } }).body;
  return items[0]?.id ?? '';
}

const send = (options: CallOptions, { callback_url = callback, ...params }: Record<string, string> = {}) =>
  scene.call('POST /contact-channels/{user_id}/{contact_channel_id}/send-verification-code', {
    ...options,
    params: { user_id: ada.id, contact_channel_id: channelId, ...params },
    body: { callback_url },
  });
const sendPrimary = (options: CallOptions, body: object = {}) =>
  scene.call('POST /contact-channels/send-verification-code', {
    ...options,
    body: { email, callback_url: callback, ...body },
  });
const verify = (code: string, options: CallOptions = {}) =>
  scene.call('POST /contact-channels/verify', { ...options, body: { code } });
const check = (code: string, options: CallOptions = {}) =>
  scene.call('POST /contact-channels/verify/check-code', { ...options, body: { code } });
const change = (body: object) =>
  scene.call('PATCH /contact-channels/{user_id}/{contact_channel_id}', {
    ...asServer,
    params: { user_id: ada.id, contact_channel_id: channelId },
    body,
  });
const isVerified = async () =>
  ((await scene.userById(ada.id)) as { primary_email_verified: boolean }).primary_email_verified;

async function sentCode(): Promise<string> {
  await send(asServer);
  return scene.emailedCode();
}

async function verificationsTo(recipient: string): Promise<unknown> {
  const emails = await scene.takeEmails();
  return emails.map(({ variables, ...email }) => {
    const { emailVerificationLink = '', ...others } = variables;
    const code = new URL(emailVerificationLink).searchParams.get('code');
    expect(code).toEqual(aSecret);
    const link = emailVerificationLink.replace(code ?? '', 'CODE');
    return { ...email, isToThem: email.recipient === recipient, link, others };
  });
}

describe('POST /contact-channels/{user_id}/{contact_channel_id}/send-verification-code', () => {
  test.each(levels)('sends a link at level %s', async level => {
    expect(await send({ ...as(ada), level })).toEqual(success);
    expect(await verificationsTo(email)).toEqual([
      {
        template: 'email_verification',
        recipient: email,
        isToThem: true,
        link: 'http://localhost:3000/handler?code=CODE&from=mail',
        others: { userDisplayName: 'Ada' },
      },
    ]);
  });

  test('sends the link to the address of a channel that is not primary', async () => {
    const value = scene.address();
    const body = { user_id: ada.id, value, type: 'email', used_for_auth: false };
    const made = (await scene.call('POST /contact-channels', { ...asServer, body })) as unknown as {
      body: { id: string };
    };
    expect(await send(as(ada), { contact_channel_id: made.body.id, user_id: 'me' })).toEqual(success);
    expect(await verificationsTo(value)).toMatchObject([{ isToThem: true }]);
  });

  test('control 92: refusals have the order user, owner, existence, channel, state, callback', async () => {
    const eve = await scene.person();
    const unknown = randomUUID();
    const elsewhere = await (await openScene(server)).person();
    const callback_url = evil;
    expect(await send({}, { callback_url, contact_channel_id: unknown })).toEqual(noUser);
    expect(await send({}, { callback_url, user_id: 'me' })).toEqual(noUser);
    expect(await send(asServer, { callback_url, user_id: 'me' })).toEqual(noUser);
    expect(await send(as(eve), { callback_url, contact_channel_id: unknown })).toEqual(refused(400));
    expect(await send(as(eve), { callback_url, user_id: unknown })).toEqual(refused(400));
    for (const user_id of [unknown, elsewhere.id]) {
      const missing = { status: 400, code: 'USER_ID_DOES_NOT_EXIST', details: { user_id } };
      expect(await send(asServer, { callback_url, user_id, contact_channel_id: unknown })).toEqual(missing);
    }
    for (const options of [as(ada), asServer]) {
      expect(await send(options, { callback_url, contact_channel_id: unknown })).toEqual(refused(404));
    }
    expect(await send(asServer, { callback_url, user_id: eve.id })).toEqual(refused(404));
    expect(await send(as(ada), { callback_url })).toEqual(untrusted);
    await change({ is_verified: true });
    expect(await send(as(ada), { callback_url })).toEqual(alreadyVerified);
    expect(await send(asServer)).toEqual(alreadyVerified);
    expect(await scene.takeEmails()).toEqual([]);
  });

  test.each<Record<string, string>>([
    { callback_url: '/relative' },
    { callback_url: 'http://localhost/a b' },
    { user_id: 'x' },
  ])('the request fields %j are refused with SCHEMA_ERROR', async wrong => {
    expect(await send(as(ada), wrong)).toEqual(invalid);
  });

  test('a request for a user who is deleted concurrently answers 404 and sends nothing', async () => {
    expect(await whileDeleting(server, ada.id, () => send(asServer))).toEqual(refused(404));
    expect(await scene.takeEmails()).toEqual([]);
  });
});

describe('POST /contact-channels/send-verification-code', () => {
  test.each(levels)('sends a link to the primary address at level %s', async level => {
    expect(await sendPrimary({ ...as(ada), level })).toEqual(success);
    expect(await verificationsTo(email)).toEqual([
      {
        template: 'email_verification',
        recipient: email,
        isToThem: true,
        link: 'http://localhost:3000/handler?code=CODE&from=mail',
        others: { userDisplayName: 'Ada' },
      },
    ]);
  });

  test('refusals have the order user, address, state, callback', async () => {
    const other = { email: 'other@example.com', callback_url: evil };
    const notPrimary = (primary_email: string | null) => ({
      status: 400,
      code: 'EMAIL_IS_NOT_PRIMARY_EMAIL',
      details: { email: other.email, primary_email },
    });
    for (const level of levels) expect(await sendPrimary({ level }, other)).toEqual(signedOut);
    expect(await sendPrimary(as(ada), { callback_url: evil })).toEqual(untrusted);
    expect(await sendPrimary(as(await scene.person()), other)).toEqual(notPrimary(null));
    await change({ is_verified: true });
    expect(await sendPrimary(as(ada), other)).toEqual(notPrimary(email));
    expect(await sendPrimary(as(ada), { callback_url: evil })).toEqual(alreadyVerified);
    expect(await scene.takeEmails()).toEqual([]);
  });

  test.each([{ email: 'a@b' }, { email: '' }, { email: null }, { callback_url: 'x' }, { more: 1 }])(
    'the body fields %j are refused with SCHEMA_ERROR',
    async body => {
      expect(await sendPrimary(as(ada), body)).toEqual(invalid);
    },
  );

  test('a request of a user who is deleted concurrently sends nothing and does not fail with 5xx', async () => {
    expect((await whileDeleting(server, ada.id, () => sendPrimary(as(ada)))).status).toBeLessThan(500);
    expect(await scene.takeEmails()).toEqual([]);
  });
});

describe('POST /contact-channels/verify', () => {
  test.each(levels)('level %s: verifies the address without a signed-in user', async level => {
    const code = await sentCode();
    expect(await isVerified()).toBe(false);
    expect(await verify(code, { level })).toEqual(success);
    expect(await isVerified()).toBe(true);
  });

  test('verifies the address for any signed-in user', async () => {
    const eve = await scene.person();
    expect(await verify(await sentCode(), as(eve))).toEqual(success);
    expect(await isVerified()).toBe(true);
  });

  test('verifies a password sign-up whose address was typed in another email case', async () => {
    const address = scene.address();
    const body = { email: address.toUpperCase(), password: 'correct horse', verification_callback_url: callback };
    await scene.call('POST /auth/password/sign-up', { body });
    expect(await verify(await scene.emailedCode())).toEqual(success);
    const users = await scene.call('GET /users', { ...asServer, query: { query: address } });
    expect(users).toMatchObject({ body: { items: [{ primary_email: address, primary_email_verified: true }] } });
  });

  test('a second use of a code is refused', async () => {
    const code = await sentCode();
    expect(await verify(code)).toEqual(success);
    expect([await verify(code), await check(code)]).toEqual([used, used]);
  });

  test('each open code works once, even after the address is verified', async () => {
    const codes = [await sentCode(), await sentCode(), await sentCode()];
    for (const code of codes) expect(await verify(code)).toEqual(success);
  });

  test('control 16: of 100 concurrent requests with one code, one succeeds', async () => {
    const code = await sentCode();
    const answers = await Promise.all(Array.from({ length: 100 }, () => verify(code)));
    expect(answers.filter(({ status }) => status === 200)).toEqual([success]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });

  test('a code in capitals is accepted', async () => {
    expect(await verify((await sentCode()).toUpperCase())).toEqual(success);
  });

  test('control 17: a code expires after 24 hours', async () => {
    const [code, late] = [await sentCode(), await sentCode()];
    server.clock.advance(emailVerificationLifetimeMs - 1);
    expect(await verify(code)).toEqual(success);
    server.clock.advance(1);
    expect([await verify(late), await check(late)]).toEqual([expired, expired]);
  });

  test('control 20: a code of another kind or another project is refused', async () => {
    const { id: userId } = ada;
    const others = [
      await scene.code('sign_in', { address: email, data: {} }),
      await scene.code('password_reset', { userId, address: email, data: {} }),
      await scene.code('mfa_attempt', { userId, data: { isNewUser: false } }),
      await scene.code('unsubscribe', { userId, data: { categoryId: 'any' } }),
      await (await openScene(server)).code('email_verification', { address: email, data: {} }),
      noCode,
    ];
    for (const code of others) expect([await verify(code), await check(code)]).toEqual([notFound, notFound]);
    expect(await isVerified()).toBe(false);
  });

  test('control 20: verifies the address for the user of the code', async () => {
    const eve = await scene.person({ primary_email: email });
    expect(await verify(await sentCode())).toEqual(success);
    expect(await scene.userById(eve.id)).toMatchObject({ primary_email: email, primary_email_verified: false });
  });

  test('control 21: a code for a changed address is refused', async () => {
    const code = await sentCode();
    await change({ value: scene.address() });
    expect(await verify(code)).toEqual(refused(400));
    expect(await isVerified()).toBe(false);
  });

  test('control 21: a code for a deleted channel is refused', async () => {
    const code = await sentCode();
    const params = { user_id: ada.id, contact_channel_id: channelId };
    await scene.call('DELETE /contact-channels/{user_id}/{contact_channel_id}', { ...asServer, params });
    expect([await verify(code), await verify(code)]).toEqual([refused(400), used]);
  });

  test('a code of a deleted user is refused', async () => {
    const code = await sentCode();
    await scene.call('DELETE /users/{user_id}', { ...asServer, params: { user_id: ada.id } });
    expect(await verify(code)).toEqual(notFound);
  });

  test('control 56: verification removes no credential of the account', async () => {
    const body = { totp_secret_base64: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' };
    await scene.call('PATCH /users/me', { ...as(ada), body });
    expect(await verify(await sentCode())).toEqual(success);
    expect(await scene.userById(ada.id)).toMatchObject({ requires_totp_mfa: true });
    expect(await scene.isLive(ada)).toBe(true);
  });
});

describe('POST /contact-channels/verify/check-code', () => {
  test.each(levels)('level %s: accepts an open code', async level => {
    expect(await check(await sentCode(), { level })).toEqual(isValid);
  });

  test('control 18: leaves the code usable, and counts attempts', async () => {
    const [code, other] = [await sentCode(), await sentCode()];
    for (let count = 0; count < 19; count++) expect(await check(code)).toEqual(isValid);
    expect(await isVerified()).toBe(false);
    expect(await verify(code)).toEqual(success);
    for (let count = 0; count < 20; count++) expect(await check(other)).toEqual(isValid);
    expect([await check(other), await verify(other)]).toEqual([tooMany, tooMany]);
  });

  test.each(['POST /contact-channels/verify', 'POST /contact-channels/verify/check-code'] as const)(
    '%s refuses a malformed code',
    async route => {
      const bodies = [{ code: noCode.slice(1) }, { code: `${noCode}0` }, { code: null }, {}, { code: noCode, more: 1 }];
      const answers: Outcome[] = [];
      for (const body of bodies) answers.push(await scene.call(route, { body }));
      expect(answers).toEqual(Array(bodies.length).fill(invalid));
    },
  );
});
