import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { bodyOf } from '../../sign-in/passkey/ceremonies.fixtures.ts';
import { callback, openScene, plainPasswords, type Scene, success, untrusted } from '../../sign-in/scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, {
    asksForVerificationCode: true,
    emailConfig: {
      type: 'standard',
      host: 'mail.example.com',
      port: 587,
      username: 'u',
      sealedPassword: '',
      senderName: 'Shop',
      senderEmail: 'shop@example.com',
    },
  });
});

interface SignedUp {
  readonly user_id: string;
  readonly access_token: string;
  readonly email_verification_nonce?: string;
}

async function signUp(email = scene.address()): Promise<SignedUp> {
  const body = { email, password: 'correct horse', verification_callback_url: callback };
  return bodyOf(await scene.call('POST /auth/password/sign-up', { body })) as SignedUp;
}

const verify = (code: string) => scene.call('POST /contact-channels/verify', { body: { code } });
const resend = (accessToken: string, callback_url = callback) =>
  scene.call('POST /extensions/email-verification/send-code', { accessToken, body: { callback_url } });
const isVerified = async (userId: string) =>
  ((await scene.userById(userId)) as { primary_email_verified: boolean }).primary_email_verified;
const emailedVariables = async () => (await scene.takeEmails()).at(-1)?.variables ?? {};
const codeIn = (link = '') => new URL(link).searchParams.get('code') ?? '';

async function saveTemplate(text: string): Promise<void> {
  const content = {
    root: { type: 'EmailLayout', data: { childrenIds: ['a'] } },
    a: { type: 'Text', data: { props: { text } } },
  };
  const params = { type: 'email_verification' };
  const saved = await scene.call('PATCH /email-templates/{type}', {
    level: 'admin',
    params,
    body: { subject: 'Verify', content },
  });
  expect(saved).toMatchObject({ status: 200 });
}

describe('a password sign-up in a project that asks for the verification code', () => {
  test('sends one email with a link and the code that the nonce of the response completes', async () => {
    const { user_id: userId, email_verification_nonce: nonce = '' } = await signUp();
    const { emailVerificationLink, otp = '', ...others } = await emailedVariables();
    expect(others).toEqual({});
    expect(codeIn(emailVerificationLink)).toBe(otp.toLowerCase() + nonce);
    expect(await verify(otp + nonce)).toEqual(success);
    expect(await isVerified(userId)).toBe(true);
  });

  test('a wrong code does not verify, and the code still works afterwards', async () => {
    const { user_id: userId, email_verification_nonce: nonce = '' } = await signUp();
    const { otp = '' } = await emailedVariables();
    expect(await verify(`000000${nonce}`)).toEqual({ status: 404, code: 'VERIFICATION_CODE_NOT_FOUND' });
    expect(await isVerified(userId)).toBe(false);
    expect(await verify(otp + nonce)).toEqual(success);
  });

  test('a corrected address gets a code of its own, and the code of the earlier address works no longer', async () => {
    const address = scene.address();
    const { user_id: userId, access_token: accessToken, email_verification_nonce: nonce = '' } = await signUp(address);
    const { otp: earlier = '' } = await emailedVariables();
    const listed = await scene.call('GET /contact-channels', { accessToken, query: { user_id: 'me' } });
    const { items } = bodyOf(listed) as unknown as { items: readonly { id: string }[] };
    const params = { user_id: 'me', contact_channel_id: items[0]?.id ?? '' };
    const body = { value: scene.address() };
    await scene.call('PATCH /contact-channels/{user_id}/{contact_channel_id}', { accessToken, params, body });
    // Email programs must not make a link of the address.
    const variables = { changedAddress: address.replace('.com', '. com') };
    expect(await scene.takeEmails()).toEqual([{ template: 'sign_in_address_removed', recipient: address, variables }]);
    const { nonce: next } = bodyOf(await resend(accessToken)) as { nonce: string };
    const { otp = '' } = await emailedVariables();
    expect(await verify(earlier + nonce)).toMatchObject({ status: 400 });
    expect(await isVerified(userId)).toBe(false);
    expect(await verify(otp + next)).toEqual(success);
    expect(await isVerified(userId)).toBe(true);
    expect(await signUp(address)).toHaveProperty('user_id');
  });

  test.each([
    ['without the code has no nonce in the response', 'Open {{emailVerificationLink}}', false],
    ['with the code has one', 'Your code: {{ otp }}', true],
  ])('with a template of the project %s', async (_, text, isAsked) => {
    await saveTemplate(text);
    expect('email_verification_nonce' in (await signUp())).toBe(isAsked);
    expect('otp' in (await emailedVariables())).toBe(isAsked);
  });

  test('a project without the setting has no nonce in the response and no code in the email', async () => {
    await scene.configure({ asksForVerificationCode: false });
    expect('email_verification_nonce' in (await signUp())).toBe(false);
    expect(Object.keys(await emailedVariables())).toEqual(['emailVerificationLink']);
  });
});

describe('POST /extensions/email-verification/send-code', () => {
  test('sends another email, whose code is completed by the returned nonce', async () => {
    const { user_id: userId, access_token: accessToken } = await signUp();
    const { nonce } = bodyOf(await resend(accessToken)) as { nonce: string };
    const { otp } = await emailedVariables();
    expect(await verify(otp + nonce)).toEqual(success);
    expect(await isVerified(userId)).toBe(true);
  });

  test('refuses an untrusted callback, and a verified address', async () => {
    const { access_token: accessToken, email_verification_nonce: nonce } = await signUp();
    expect(await resend(accessToken, 'https://evil.example/')).toEqual(untrusted);
    const { otp } = await emailedVariables();
    await verify(`${otp}${nonce}`);
    expect(await resend(accessToken)).toEqual({ status: 409, code: 'EMAIL_ALREADY_VERIFIED' });
  });

  test('control 72: the emails to one address are limited', async () => {
    const { access_token: accessToken } = await signUp();
    for (let count = 0; count < 4; count++) expect(await resend(accessToken)).toMatchObject({ status: 200 });
    expect(await resend(accessToken)).toMatchObject({ status: 429 });
  });
});
