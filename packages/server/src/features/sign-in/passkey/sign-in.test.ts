import { passkeyChallengeLifetimeMs } from '@tessera/protocol';
import { type Ceremony, createAuthenticator } from '@tessera/testing/authenticator';
import { aSecret } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { whileDeleting, whileHolding } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { deletePasskeys, insertPasskey } from '../../accounts/credentials/index.ts';
import {
  expired,
  invalid,
  noCode,
  notFound,
  openScene,
  type Person,
  plainPasswords,
  type Scene,
  used,
} from '../scene.fixtures.ts';
import { attemptCodeOf, totpOf } from '../totp.fixtures.ts';
import {
  aChallenge,
  as,
  failed,
  off,
  openPasskeyScene,
  type PasskeyScene,
  readSignInOptions,
  signedIn,
} from './ceremonies.fixtures.ts';

let server: TestServer;
let passkeys: PasskeyScene;
let scene: Scene;
let ada: Person;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  passkeys = await openPasskeyScene(server);
  ({ scene, ada } = passkeys);
});

/** Signs in with the passkey of a user with a second factor. @returns completes the attempt */
async function beginWithTotp(authenticator: ReturnType<typeof createAuthenticator>) {
  await scene.call('PATCH /users/me', { ...as(ada), body: { totp_secret_base64: totpOf.secretBase64 } });
  const code = attemptCodeOf(await passkeys.signInWith(authenticator));
  const body = { code, type: 'totp', totp: totpOf.now(server.clock.now()) };
  return () => scene.call('POST /auth/mfa/sign-in', { body });
}

describe('POST /auth/passkey/initiate-passkey-authentication', () => {
  test.each(['client', 'server', 'admin'] as const)('returns code and options at level %s', async level => {
    expect(await passkeys.initiateSignIn({ level })).toEqual({
      status: 200,
      body: {
        code: aSecret,
        options_json: {
          rpId: 'THIS_VALUE_WILL_BE_REPLACED.example.com',
          challenge: aChallenge,
          allowCredentials: [],
          timeout: 60_000,
          userVerification: 'preferred',
        },
      },
    });
  });

  test('is refused while passkeys are off', async () => {
    await scene.configure({ passkeyEnabled: false });
    expect(await passkeys.initiateSignIn()).toEqual(off);
  });
});

describe('POST /auth/passkey/sign-in', () => {
  test.each(['client', 'server', 'admin'] as const)('opens a session at level %s', async level => {
    const authenticator = await passkeys.passkeyOf(ada);
    const before = await scene.sessionsOf(ada.id);
    const { code, options } = await passkeys.requestOptions();
    expect(await passkeys.signIn(code, authenticator.signIn(options), { level })).toEqual(signedIn(ada.id));
    expect(await scene.sessionsOf(ada.id)).toBe(before + 1);
  });

  test.each([
    ['a passkey that verified its user signs in alone', true, true, 200],
    ['a passkey that did not verify its user still needs the second factor', true, false, 400],
    ['by default a passkey still needs the second factor', false, true, 400],
  ])('control 61: with a second factor, %s', async (_, passkeyCountsAsBothFactors, userVerified, status) => {
    if (passkeyCountsAsBothFactors) await scene.configure({ passkeyCountsAsBothFactors });
    const authenticator = await passkeys.passkeyOf(ada);
    await scene.call('PATCH /users/me', { ...as(ada), body: { totp_secret_base64: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' } });
    expect(await passkeys.signInWith(authenticator, { userVerified })).toMatchObject({ status });
  });

  test('of a suspended user is refused', async () => {
    const authenticator = await passkeys.passkeyOf(ada);
    await passkeys.scene.call('PUT /extensions/users/{user_id}/suspension', {
      level: 'server',
      params: { user_id: ada.id },
      body: {},
    });
    expect(await passkeys.signInWith(authenticator)).toEqual({ status: 403, code: 'USER_SUSPENDED' });
  });

  test('control 61: a found security key whose finder set a PIN still needs the second factor', async () => {
    await scene.configure({ passkeyCountsAsBothFactors: true });
    const authenticator = await passkeys.passkeyOf(ada, {}, { userVerified: false });
    await scene.call('PATCH /users/me', { ...as(ada), body: { totp_secret_base64: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' } });
    for (let attempt = 1; attempt <= 2; attempt++) {
      const answer = await passkeys.signInWith(authenticator, { userVerified: true });
      expect(answer).toMatchObject({ code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' });
    }
  });

  test('control 61: with a second factor a passkey returns an attempt and no token, and its use is recorded', async () => {
    const authenticator = await passkeys.passkeyOf(ada, { counter: 10 });
    const body = { totp_secret_base64: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' };
    await scene.call('PATCH /users/me', { ...as(ada), body });
    const before = await scene.sessionsOf(ada.id);
    expect(await passkeys.signInWith(authenticator)).toEqual({
      status: 400,
      code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED',
      details: { attempt_code: aSecret },
    });
    expect(await scene.sessionsOf(ada.id)).toBe(before);
    expect(await passkeys.signInWith(authenticator, { counter: 11 })).toEqual(failed);
  });

  test('an attempt that began with a passkey is refused when passkeys are switched off', async () => {
    const attempt = await beginWithTotp(await passkeys.passkeyOf(ada));
    await scene.configure({ passkeyEnabled: false });
    expect(await attempt()).toEqual(notFound);
    await scene.configure({ passkeyEnabled: true });
    expect(await attempt()).toMatchObject({ status: 200 });
  });

  test('an attempt that began with a passkey is refused when the user has removed it', async () => {
    const authenticator = await passkeys.passkeyOf(ada);
    await passkeys.passkeyOf(ada);
    const attempt = await beginWithTotp(authenticator);
    const params = { passkey_id: authenticator.credentialId };
    await scene.call('DELETE /extensions/passkeys/{passkey_id}', { ...as(ada), params });
    expect(await attempt()).toEqual(notFound);
  });

  test('an attempt that began with a passkey is refused when an update has deleted all passkeys', async () => {
    const attempt = await beginWithTotp(await passkeys.passkeyOf(ada));
    await scene.call('PATCH /users/me', { ...as(ada), body: { passkey_auth_enabled: false } });
    expect(await attempt()).toEqual(notFound);
  });

  test('a challenge works once, and is spent by a failed sign-in', async () => {
    const authenticator = await passkeys.passkeyOf(ada);
    const { code, options } = await passkeys.requestOptions();
    expect(await passkeys.signIn(code, authenticator.signIn(options, { otherKey: true }))).toEqual(failed);
    expect(await passkeys.signIn(code, authenticator.signIn(options))).toEqual(used);
  });

  test('control 16: of 20 concurrent uses of one challenge one signs in', async () => {
    const authenticator = await passkeys.passkeyOf(ada);
    const before = await scene.sessionsOf(ada.id);
    const { code, options } = await passkeys.requestOptions();
    const answer = authenticator.signIn(options);
    const answers = await Promise.all(Array.from({ length: 20 }, () => passkeys.signIn(code, answer)));
    expect(answers.filter(({ status }) => status === 200)).toEqual([signedIn(ada.id)]);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(19).fill(used));
    expect(await scene.sessionsOf(ada.id)).toBe(before + 1);
  });

  test('control 65: a challenge expires after 65 seconds', async () => {
    const authenticator = await passkeys.passkeyOf(ada);
    const [first, late] = [await passkeys.requestOptions(), await passkeys.requestOptions()];
    server.clock.advance(passkeyChallengeLifetimeMs - 1);
    expect(await passkeys.signIn(first.code, authenticator.signIn(first.options))).toEqual(signedIn(ada.id));
    server.clock.advance(1);
    expect(await passkeys.signIn(late.code, authenticator.signIn(late.options))).toEqual(expired);
  });

  describe('control 65: an invalid response is refused', () => {
    test.each<Ceremony>([
      { otherKey: true },
      { challenge: 'another' },
      { type: 'webauthn.create' },
      { origin: 'https://evil.example', rpId: 'localhost' },
      { origin: 'https://app.example', rpId: 'localhost' },
      { origin: 'not an origin' },
      { rpId: 'evil.example' },
      { crossOrigin: true },
      { crossOrigin: true, topOrigin: 'https://app.example' },
      { topOrigin: 'https://app.example' },
      { userPresent: false },
      { userHandle: Buffer.from('11111111-1111-4111-8111-111111111111').toString('base64url') },
    ])('a response with %j', async ceremony => {
      const authenticator = await passkeys.passkeyOf(ada);
      expect(await passkeys.signInWith(authenticator, ceremony)).toEqual(failed);
    });

    test('a passkey that is not registered', async () => {
      const authenticator = createAuthenticator();
      authenticator.register({ challenge: 'any', user: { id: Buffer.from(ada.id).toString('base64url') } });
      expect(await passkeys.signInWith(authenticator)).toEqual(failed);
    });

    test('a challenge of another project', async () => {
      const authenticator = await passkeys.passkeyOf(ada);
      const elsewhere = await openScene(server, { passkeyEnabled: true });
      const begun = await elsewhere.call('POST /auth/passkey/initiate-passkey-authentication');
      const { code, options } = readSignInOptions(begun);
      expect(await passkeys.signIn(code, authenticator.signIn(options))).toEqual(notFound);
    });

    test('a passkey of another project', async () => {
      const authenticator = await passkeys.passkeyOf(ada);
      const elsewhere = await openScene(server, { passkeyEnabled: true });
      const begun = await elsewhere.call('POST /auth/passkey/initiate-passkey-authentication');
      const { code, options } = readSignInOptions(begun);
      const body = { code, authentication_response: authenticator.signIn(options) };
      expect(await elsewhere.call('POST /auth/passkey/sign-in', { body })).toEqual(failed);
    });
  });

  test.each<Ceremony>([
    { userHandle: null },
    { userHandle: '' },
    { userVerified: false },
    { origin: 'http://localhost:9' },
  ])('a response with %j signs in', async ceremony => {
    const authenticator = await passkeys.passkeyOf(ada);
    expect(await passkeys.signInWith(authenticator, ceremony)).toEqual(signedIn(ada.id));
  });

  describe('control 65: the signature counter', () => {
    test('must increase; an equal or lower counter is refused', async () => {
      const authenticator = await passkeys.passkeyOf(ada, { counter: 10 });
      expect(await passkeys.signInWith(authenticator, { counter: 20 })).toEqual(signedIn(ada.id));
      expect(await passkeys.signInWith(authenticator, { counter: 20 })).toEqual(failed);
      expect(await passkeys.signInWith(authenticator, { counter: 15 })).toEqual(failed);
      expect(await passkeys.signInWith(authenticator, { counter: 0 })).toEqual(failed);
      expect(await passkeys.signInWith(authenticator, { counter: 4_294_967_295 })).toEqual(signedIn(ada.id));
    });

    test('may stay zero for an authenticator without a counter', async () => {
      const authenticator = await passkeys.passkeyOf(ada, { counter: 0 });
      expect([await passkeys.signInWith(authenticator), await passkeys.signInWith(authenticator)]).toEqual([
        signedIn(ada.id),
        signedIn(ada.id),
      ]);
    });

    test('signs in once for concurrent responses with the same value', async () => {
      const authenticator = await passkeys.passkeyOf(ada, { counter: 10 });
      const begun = await Promise.all(Array.from({ length: 10 }, () => passkeys.requestOptions()));
      const answers = await Promise.all(
        begun.map(({ code, options }) => passkeys.signIn(code, authenticator.signIn(options, { counter: 11 }))),
      );
      expect(answers.filter(({ status }) => status === 200)).toEqual([signedIn(ada.id)]);
      expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(9).fill(failed));
    });
  });

  test('a malformed response is SCHEMA_ERROR, after the code is checked', async () => {
    const authenticator = await passkeys.passkeyOf(ada);
    const good = authenticator.signIn({ challenge: 'any' });
    const bad = [
      {},
      'text',
      { ...good, id: '' },
      { ...good, response: undefined },
      { ...good, clientExtensionResults: null },
      { ...good, response: { ...good.response, clientDataJSON: 'AAAA' } },
      { ...good, response: { ...good.response, authenticatorData: undefined } },
      { ...good, response: { ...good.response, signature: '' } },
      { ...good, response: { ...good.response, userHandle: 1 } },
    ];
    for (const answer of bad) {
      expect(await passkeys.signIn(noCode, answer)).toEqual(notFound);
      expect([answer, await passkeys.signIn((await passkeys.requestOptions()).code, answer)]).toEqual([
        answer,
        invalid,
      ]);
    }
  });

  test('a response with truncated authenticator data is refused', async () => {
    const authenticator = await passkeys.passkeyOf(ada);
    const { code, options } = await passkeys.requestOptions();
    const good = authenticator.signIn(options);
    const response = { ...good.response, authenticatorData: 'AAAA' };
    expect(await passkeys.signIn(code, { ...good, response })).toEqual(failed);
  });

  test('checks the code, then whether passkeys are on', async () => {
    const authenticator = await passkeys.passkeyOf(ada);
    const { code, options } = await passkeys.requestOptions();
    await scene.configure({ passkeyEnabled: false });
    const answer = authenticator.signIn(options);
    expect([await passkeys.signIn(noCode, answer), await passkeys.signIn(code, answer)]).toEqual([notFound, off]);
  });

  test('control 20: codes of another kind are refused', async () => {
    const others = [
      await scene.code('sign_in', { address: scene.address(), data: {} }),
      await scene.code('mfa_attempt', { userId: ada.id, data: { isNewUser: false } }),
      noCode,
    ];
    for (const code of others) expect(await passkeys.signIn(code, {})).toEqual(notFound);
  });

  test.each([{ code: noCode }, { authentication_response: {} }, { code: noCode, authentication_response: null }])(
    'a body of %j is refused',
    async body => {
      expect(await scene.call('POST /auth/passkey/sign-in', { body })).toEqual(invalid);
    },
  );

  test('control 36: a sign-in with the session of another user opens a new session, and leaves the other one open', async () => {
    const authenticator = await passkeys.passkeyOf(ada);
    const eve = await scene.person();
    const { code, options } = await passkeys.requestOptions();
    expect(await passkeys.signIn(code, authenticator.signIn(options), as(eve))).toEqual(signedIn(ada.id));
    expect(await scene.sessionsOf(eve.id)).toBe(1);
  });

  test('a user who is deleted during the sign-in does not cause a 500', async () => {
    const authenticator = await passkeys.passkeyOf(ada);
    const { code, options } = await passkeys.requestOptions();
    const answer = await whileDeleting(server, ada.id, () => passkeys.signIn(code, authenticator.signIn(options)));
    expect(answer).toEqual(failed);
  });

  test('control 56: a sign-in is refused when its passkey is deleted meanwhile and registered for another user', async () => {
    const authenticator = await passkeys.passkeyOf(ada);
    const eve = await scene.person();
    const { code, options } = await passkeys.requestOptions();
    const answer = await whileHolding(server, ada.id, {
      work: () => passkeys.signIn(code, authenticator.signIn(options)),
      meanwhile: async tx => {
        await deletePasskeys(tx, { projectId: scene.project.id, userId: ada.id });
        await insertPasskey(tx, scene.project.id, {
          credentialId: authenticator.credentialId,
          userId: eve.id,
          publicKey: Buffer.from([]),
          counter: 0,
          transports: [],
          deviceType: 'singleDevice',
          isBackedUp: false,
          isUserVerified: true,
          aaguid: null,
          userAgent: null,
          createdAtMillis: server.clock.now(),
        });
      },
    });
    expect(answer).toEqual(failed);
  });
});
